import type { Client } from '@mynah/sdk'
import { loadEntries } from '../entries/load.js'
import { keepFocus } from './focus-keeper.js'

/** Starts what the first screen does not wait for. Returns how to end it. */
export function startLater(client: Client): () => void {
  const ends = [keepFocus(document.body), loadEntries(client), loadDevStrip()]
  return () => {
    for (const end of ends) end()
  }
}

/** Loads the strip of `mynah dev`. A console works without it, so a file that is gone is no failure of the page. */
function loadDevStrip(): () => void {
  let end: (() => void) | undefined
  let left = false
  import('./dev-strip.js').then(
    ({ showDevStrip }) => {
      if (!left) end = showDevStrip()
    },
    (error: unknown) => console.warn('failed to load the strip of mynah dev', error),
  )
  return () => {
    left = true
    end?.()
  }
}
