import type { ComponentType } from 'preact'
import { useLazy } from './use-lazy.js'

/** Returns a component whose code loads at its first use. It shows nothing until then. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return (props: P) => {
    const { loaded: Part } = useLazy(load)
    return Part ? <Part {...props} /> : null
  }
}
