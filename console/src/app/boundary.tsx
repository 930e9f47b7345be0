import { Component, type ComponentChildren } from 'preact'

export interface BoundaryProps {
  readonly children: ComponentChildren
  /** Shown in place of the failed part. */
  readonly fallback: (error: Error, retry: () => void) => ComponentChildren
  readonly onError?: (error: Error) => void
}

export class Boundary extends Component<BoundaryProps, { error?: Error | undefined }> {
  override state: { error?: Error | undefined } = {}

  static override getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: unknown): void {
    reportError(error)
    this.props.onError?.(error instanceof Error ? error : new Error(String(error)))
  }

  override render(): ComponentChildren {
    const { error } = this.state
    return error ? this.props.fallback(error, () => this.setState({ error: undefined })) : this.props.children
  }
}
