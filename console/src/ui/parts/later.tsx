import type { ComponentChildren } from 'preact'
import { useDeferredMount } from '../../lib/use-deferred-mount.js'

/** Shows a heavy part of a page in the task after the rest, so that neither takes long. It stays once it is shown. */
export function Later({ children }: { readonly children: ComponentChildren }) {
  return <>{useDeferredMount(true) ? children : null}</>
}
