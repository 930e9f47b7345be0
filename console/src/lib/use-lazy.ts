// A component whose code is loaded when it is first needed.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export interface Lazy<P> { readonly component?: ComponentType<P>; readonly failure?: string }

const loaded = new WeakMap<object, unknown>()

/** The component that `load` gives; the same function loads once. */
export function useLazy<P>(load: (() => Promise<ComponentType<P>>) | undefined): Lazy<P> {
  const [failed, setFailed] = useState<{ load: object; text: string }>()
  const [, render] = useState(0)
  useEffect(() => {
    if (!load || loaded.has(load)) return
    load().then(
      (component) => {
        loaded.set(load, component)
        render((count) => count + 1)
      },
      (error: unknown) => setFailed({ load, text: error instanceof Error ? error.message : String(error) }),
    )
  }, [load])
  const component = load && (loaded.get(load) as ComponentType<P> | undefined)
  if (component) return { component }
  return failed && failed.load === load ? { failure: failed.text } : {}
}
