/** Calls `listener` with the reason when one of the signals aborts, or has. Returns a function that stops listening. */
export function onAnyAbort(signals: readonly AbortSignal[], listener: (reason: unknown) => void): () => void {
  const stop = (): void => {
    for (const signal of signals) signal.removeEventListener('abort', onAbort)
  }
  const onAbort = (): void => {
    stop()
    listener(signals.find(({ aborted }) => aborted)?.reason)
  }
  for (const signal of signals) signal.addEventListener('abort', onAbort)
  if (signals.some(({ aborted }) => aborted)) onAbort()
  return stop
}
