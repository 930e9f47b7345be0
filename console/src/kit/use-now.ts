// The present inside a component, as often as it is needed.
import { useEffect, useState } from 'preact/hooks'

/** The present; renders again each `step` milliseconds while `running`. What is rendered for another reason is of that moment, so that nothing just done lies ahead. */
export function useNow(step: number, running = true): number {
  const [, render] = useState(0)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => render((count) => count + 1), step)
    return () => clearInterval(timer)
  }, [step, running])
  return Date.now()
}
