import { useEffect, useRef, useState } from 'preact/hooks'

const TYPING_MS = 250

/** Returns the text of a field and its setter. `set` is called after typing pauses. */
export function useDebouncedInput(value: string, set: (value: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  useEffect(() => {
    // The echo of what was typed here would take back what was typed since.
    if (value !== sent.current) setTyped(value)
    sent.current = value
  }, [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => {
      sent.current = typed
      set(typed)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
