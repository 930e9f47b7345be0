import { useRef, useState } from 'preact/hooks'
import { toast } from '../app/toasts.js'
import { useWriteBlock } from '../app/event-stream.js'
import { failureOf } from '../lib/failure.js'

export interface Action<A extends readonly unknown[]> {
  readonly run: (...input: A) => void
  readonly busy: boolean
  /** The failure of the last run, if it is reported to the caller. */
  readonly failure: string | undefined
  /** Properties of a button: disabled, with the reason, while writing is blocked. */
  readonly blocked: { readonly disabled?: true; readonly title?: string }
}

type Work<A extends readonly unknown[]> = (...input: A) => Promise<unknown>
type Tell = 'toast' | 'here'

/**
 * Runs a change, one at a time. Blocked while the stream is down. Failures are shown as a toast, or by the caller
 * (`here`).
 */
export const useAction = <A extends readonly unknown[]>(work: Work<A>, tell: Tell = 'toast'): Action<A> =>
  useRunner(work, tell, useWriteBlock())

/** Runs a read, such as loading older rows. It is never blocked. */
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
