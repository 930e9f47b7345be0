// One polite live region for what changed without the focus moving.
import { createStore } from './store.js'

export const announcement = createStore('')

/** Lets a screen reader say `text`. */
export function announce(text: string): void {
  announcement.set(text)
}
