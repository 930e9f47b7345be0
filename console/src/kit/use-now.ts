// The present inside a component, as often as it is needed.
import { useEffect, useState } from 'preact/hooks'

/** Renders again each `step` milliseconds while `running`. */
export function useNow(step: number, running = true): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), step)
    return () => clearInterval(timer)
  }, [step, running])
  return running ? now : Date.now()
}
