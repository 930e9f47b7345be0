import type { Code } from '@mynah/contract'
import type { RenderedImage, RichText } from '@mynah/plugin-chat/api'

export interface Look {
  readonly width: number
  readonly scale: number
  readonly theme: 'light' | 'dark'
  /** Absolute paths. */
  readonly fonts: readonly string[]
}
export interface Job {
  readonly text: RichText
  readonly look: Look
}
export type Outcome = { readonly image: RenderedImage } | { readonly code: Code; readonly message: string }
