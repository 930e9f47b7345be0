// Work that is left to a task of its own, so that what a person did is not answered by one long one.
import { useLayoutEffect, useState } from 'preact/hooks'

/** Runs `work` in the next task; the returned function takes it back. */
function nextTask(work: () => void): () => void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    work()
  }
  port2.postMessage(undefined)
  return () => port1.close()
}

/** Whether the task after the first rendering has come; at once where nothing is to be put off. */
export function useDeferredMount(putOff: boolean): boolean {
  const [now, setNow] = useState(!putOff)
  // Before the next frame, which would show an empty page.
  useLayoutEffect(() => (now ? undefined : nextTask(() => setNow(true))), [])
  return now
}
