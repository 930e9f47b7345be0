// One polite live region for what changed without the focus moving.
import { currentLocation } from './router.js'
import { createStore } from './store.js'

export const announcement = createStore('')

let path = currentLocation.get().path
// What was said of one page is not heard again on the next.
currentLocation.subscribe(() => {
  if (currentLocation.get().path === path) return
  path = currentLocation.get().path
  announcement.set('')
})

/** Lets a screen reader say `text`. */
export function announce(text: string): void {
  announcement.set(text)
}
