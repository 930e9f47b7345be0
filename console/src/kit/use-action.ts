// A change on the host, or a reading that somebody asks for: one at a time, told when it fails.
import { useRef, useState } from 'preact/hooks'
import { toast } from '../app/toasts.js'
import { useWriteBlock } from '../app/event-stream.js'
import { failureOf } from '../lib/failure.js'

export interface Action<A extends readonly unknown[]> {
  readonly run: (...input: A) => void
  readonly busy: boolean
  /** The host's words where the last one failed and `tell` is `here`. */
  readonly failure: string | undefined
  /** For a button: disabled and why, while nothing may be written. */
  readonly blocked: { readonly disabled?: true; readonly title?: string }
}

type Work<A extends readonly unknown[]> = (...input: A) => Promise<unknown>
type Tell = 'toast' | 'here'

/** A change: held back while the console does not hear the host. `here`: the caller shows the failure; else it is a toast. */
export const useAction = <A extends readonly unknown[]>(work: Work<A>, tell: Tell = 'toast'): Action<A> =>
  useRunner(work, tell, useWriteBlock())

/** A reading, such as the rows before these: nothing is changed, so nothing holds it back. */
export const useReadAction = <A extends readonly unknown[]>(work: Work<A>, tell: Tell = 'toast'): Action<A> =>
  useRunner(work, tell, undefined)

function useRunner<A extends readonly unknown[]>(work: Work<A>, tell: Tell, block: string | undefined): Action<A> {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const latest = useRef(work)
  latest.current = work
  const running = useRef(false)
  const run = (...input: A): void => {
    if (running.current) return
    if (block !== undefined) return toast(block, 'warn')
    running.current = true
    setBusy(true)
    setFailure(undefined)
    latest
      .current(...input)
      .catch((error: unknown) => {
        const { text } = failureOf(error)
        if (tell === 'here') setFailure(text)
        else toast(text, 'err')
      })
      .finally(() => {
        running.current = false
        setBusy(false)
      })
  }
  return { run, busy, failure, blocked: block === undefined ? {} : { disabled: true, title: block } }
}
