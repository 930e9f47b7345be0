import { useEffect, useState } from 'preact/hooks'

const TYPING_MS = 250

/** Returns the text of a field and its setter. `set` is called after typing pauses. */
export function useDebouncedInput(value: string, set: (value: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => set(typed), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
