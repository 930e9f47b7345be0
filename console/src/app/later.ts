import type { Client } from '@mynah/sdk'
import { loadEntries } from '../entries/load.js'
import { keepFocus } from './focus-keeper.js'

/** Starts what the first screen does not wait for. Returns how to end it. */
export function startLater(client: Client): () => void {
  const ends = [keepFocus(document.body), loadEntries(client)]
  return () => {
    for (const end of ends) end()
  }
}
