import { currentLocation } from './router.js'
import { createStore } from './store.js'

export const announcement = createStore('')

let path = currentLocation.get().path
// Announcements of one page are not repeated on the next.
currentLocation.subscribe(() => {
  if (currentLocation.get().path === path) return
  path = currentLocation.get().path
  announcement.set('')
})

/** Announces `text` to screen readers. */
export function announce(text: string): void {
  announcement.set(text)
}
