import { useEffect, useRef } from 'preact/hooks'

/** Calls `run` every `ms`, 0 for never; hidden tabs wait. */
export function useTimer(ms: number, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (ms === 0) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current()
    }, ms)
    return () => clearInterval(timer)
  }, [ms])
}
