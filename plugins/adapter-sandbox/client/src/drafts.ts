// Unsent texts, by host and scene. The browser stores them, so that leaving or reloading the page loses nothing.
const KEY = 'mynah_sandbox_drafts'
const MAX_DRAFTS = 50
const MAX_TEXT = 20_000

/** Parses the stored drafts. Invalid ones are left out. */
export function parseDrafts(text: string | null): Map<string, string> {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? '[]')
  } catch {
    // The next draft replaces an unreadable value.
    return new Map()
  }
  const pairs: readonly unknown[] = Array.isArray(stored) ? stored : []
  return new Map(
    pairs.filter(
      (pair): pair is [string, string] =>
        Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string',
    ),
  )
}

/** Returns the text to store, without the oldest and the very long drafts. */
export const serializeDrafts = (drafts: ReadonlyMap<string, string>): string =>
  JSON.stringify([...drafts].filter(([, text]) => text !== '' && text.length <= MAX_TEXT).slice(-MAX_DRAFTS))

export interface DraftStore {
  get(scene: string): string
  set(scene: string, text: string): void
}

/**
 * Returns the drafts of an endpoint of the host at `base`. Where the browser stores nothing, they last as long as the
 * page.
 */
export function createDraftStore(base: string, endpointId: string): DraftStore {
  const key = (scene: string): string => `${base}|${endpointId}|${scene}`
  const load = (): Map<string, string> => {
    try {
      return parseDrafts(localStorage.getItem(KEY))
    } catch {
      return new Map()
    }
  }
  let drafts = load()
  return {
    get: (scene) => drafts.get(key(scene)) ?? '',
    set(scene, text) {
      if ((drafts.get(key(scene)) ?? '') === text) return
      // Another tab may have written since.
      drafts = new Map([...load(), ...drafts])
      drafts.delete(key(scene))
      if (text !== '') drafts.set(key(scene), text)
      try {
        localStorage.setItem(KEY, serializeDrafts(drafts))
      } catch {
        // The browser stores nothing.
        return
      }
    },
  }
}
