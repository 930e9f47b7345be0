import { useEffect, useState } from 'preact/hooks'

export interface Lazy<T> {
  readonly loaded?: T
  readonly failure?: string
}

const known = new WeakMap<object, unknown>()

/** Returns the result of `load`, which runs once per function. */
export function useLazy<T>(load: (() => Promise<T>) | undefined): Lazy<T> {
  const [failed, setFailed] = useState<{ load: object; text: string }>()
  const [, render] = useState(0)
  useEffect(() => {
    if (!load || known.has(load)) return
    load().then(
      (loaded) => {
        known.set(load, loaded)
        render((count) => count + 1)
      },
      (error: unknown) => setFailed({ load, text: error instanceof Error ? error.message : String(error) }),
    )
  }, [load])
  const loaded = load && (known.get(load) as T | undefined)
  if (loaded !== undefined) return { loaded }
  return failed && failed.load === load ? { failure: failed.text } : {}
}
