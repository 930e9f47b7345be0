// One polite live region for what changed without the focus moving.
import { place } from './router.js'
import { createStore } from './store.js'

export const announcement = createStore('')

let path = place.get().path
// What was said of one page is not heard again on the next.
place.subscribe(() => {
  if (place.get().path === path) return
  path = place.get().path
  announcement.set('')
})

/** Lets a screen reader say `text`. */
export function announce(text: string): void {
  announcement.set(text)
}
