// A filter field ahead of the address: the address follows when typing rests.
import { useEffect, useState } from 'preact/hooks'

const TYPING_MS = 250

/** The text of the field and its setter; `set` is called once with what was typed. */
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
