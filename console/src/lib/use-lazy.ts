import { useEffect, useState } from 'preact/hooks'

export interface Lazy<T> {
  readonly loaded?: T
  readonly failure?: string
}

const known = new WeakMap<object, unknown>()

/** Returns the result of `load`, which runs once per function. */
export function useLazy<T>(load: (() => Promise<T>) | undefined): Lazy<T> {
  const [failed, setFailed] = useState<{ load: object; text: string }>()
  const [, render] = useState<object>()
  const loaded = load && (known.get(load) as T | undefined)
  useEffect(() => {
    if (!load || loaded !== undefined) return
    const renderAgain = (): void => render({})
    // Effects run after the frame. Another component may have loaded it meanwhile.
    if (known.has(load)) return renderAgain()
    load().then(
      (value) => {
        known.set(load, value)
        renderAgain()
      },
      (error: unknown) => setFailed({ load, text: error instanceof Error ? error.message : String(error) }),
    )
  }, [load])
  if (loaded !== undefined) return { loaded }
  return failed && failed.load === load ? { failure: failed.text } : {}
}
