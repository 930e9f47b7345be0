import { useLayoutEffect, useState } from 'preact/hooks'

/** Runs `work` in the next task. The returned function cancels it. */
export function nextTask(work: () => void): () => void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    work()
  }
  port2.postMessage(undefined)
  return () => port1.close()
}

/**
 * Returns false until the task after the first render, so that a click is not answered by one long task. Returns true
 * at once if `putOff` is false.
 */
export function useDeferredMount(putOff: boolean): boolean {
  const [now, setNow] = useState(!putOff)
  // Start before the next frame, which would show an empty page.
  useLayoutEffect(() => (now ? undefined : nextTask(() => setNow(true))), [])
  return now
}
