import { useEffect, useState } from 'preact/hooks'

/**
 * Returns the current time and renders again every `step` milliseconds while `running`. Other renders use their own
 * time, so that no event is in the future.
 */
export function useNow(step: number, running = true): number {
  const [, render] = useState(0)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => render((count) => count + 1), step)
    return () => clearInterval(timer)
  }, [step, running])
  return Date.now()
}
