// A change on the host: one at a time, told when it fails, held back while the console does not hear the host.
import { useRef, useState } from 'preact/hooks'
import { toast } from '../app/toasts.js'
import { useWriteBlock } from '../app/live.js'
import { failureOf } from '../lib/failure.js'

export interface Action<A extends readonly unknown[]> {
  readonly run: (...input: A) => void
  readonly busy: boolean
  /** The host's words where the last one failed and `tell` is `here`. */
  readonly failure: string | undefined
  /** For a button: disabled and why, while nothing may be written. */
  readonly blocked: { readonly disabled?: true; readonly title?: string }
}

/** `here`: the caller shows the failure; else it is a toast. */
export function useAction<A extends readonly unknown[]>(work: (...input: A) => Promise<unknown>, tell: 'toast' | 'here' = 'toast'): Action<A> {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const latest = useRef(work)
  latest.current = work
  const running = useRef(false)
  const block = useWriteBlock()
  const run = (...input: A): void => {
    if (running.current) return
    if (block !== undefined) return toast(block, 'warn')
    running.current = true
    setBusy(true)
    setFailure(undefined)
    latest.current(...input).catch((error: unknown) => {
      const { text } = failureOf(error)
      if (tell === 'here') setFailure(text)
      else toast(text, 'err')
    }).finally(() => {
      running.current = false
      setBusy(false)
    })
  }
  return { run, busy, failure, blocked: block === undefined ? {} : { disabled: true, title: block } }
}
