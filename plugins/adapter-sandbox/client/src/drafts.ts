// What was typed and not sent, by host and scene; kept in this browser, so that leaving the page or reloading it
// loses nothing.
const KEY = 'mynah_sandbox_drafts'
const MOST = 50
const MAX_TEXT = 20_000

/** The drafts that were stored, whatever stands there now. */
export function readDrafts(text: string | null): Map<string, string> {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? '[]')
  } catch {
    // Somebody else wrote there; it is written over with the next draft.
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

/** The text to store: the last ones, none of them endless. */
export const writeDrafts = (drafts: ReadonlyMap<string, string>): string =>
  JSON.stringify([...drafts].filter(([, text]) => text !== '' && text.length <= MAX_TEXT).slice(-MOST))

export interface Drafts {
  get(scene: string): string
  set(scene: string, text: string): void
}

/**
 * The drafts of one endpoint of the host at `base`. Storage may be switched off; they then last as long as the page.
 */
export function draftsOf(base: string, endpointId: string): Drafts {
  const key = (scene: string): string => `${base}|${endpointId}|${scene}`
  const load = (): Map<string, string> => {
    try {
      return readDrafts(localStorage.getItem(KEY))
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
        localStorage.setItem(KEY, writeDrafts(drafts))
      } catch {
        // As above.
        return
      }
    },
  }
}
