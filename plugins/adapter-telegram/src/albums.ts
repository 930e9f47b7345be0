import type { Message, Update } from 'grammy/types'
import type { Cursors, EndpointHandle } from '@mynah/plugin-chat/api'

/** Parts of one album at most. */
const MAX_PARTS = 10
const MAX_ID = 128

const CURSOR = 'album'

const saidIn = (update: Update): Message | undefined => update.message ?? update.channel_post

/** Returns the album that an update is a part of. */
export function albumOf(update: Update): string | undefined {
  const said = saidIn(update)
  const group: unknown = said?.media_group_id
  return typeof group === 'string' && group.length <= MAX_ID ? `${String(said?.chat?.id)}:${group}` : undefined
}

/** Returns the parts of an album in their order. */
export const partsOf = (updates: readonly Update[]): Message[] =>
  updates.flatMap((update) => saidIn(update) ?? []).sort((a, b) => a.message_id - b.message_id)

/** Returns the position behind an album: its id, and the number of its last part. */
export function albumCursor(updates: readonly Update[]): { readonly cursor?: Cursors } {
  const album = updates[0] && albumOf(updates[0])
  const last = partsOf(updates).at(-1)
  return album === undefined || !last ? {} : { cursor: { [CURSOR]: `${album} ${last.message_id}` } }
}

/**
 * Returns the updates without parts of an album that was accepted before. After a crash all parts come again, perhaps
 * with one that was late.
 */
export async function withoutAccepted(
  updates: readonly Update[],
  cursor: EndpointHandle['cursor'],
): Promise<readonly Update[]> {
  const album = updates[0] && albumOf(updates[0])
  if (album === undefined) return updates
  const known = (await cursor.get(CURSOR)) ?? ''
  if (!known.startsWith(`${album} `)) return updates
  const last = Number(known.slice(album.length + 1))
  return updates.filter((update) => (saidIn(update)?.message_id ?? 0) > last)
}

/**
 * Albums whose parts may still come. Telegram sends each part as an update, and does not say how many there are. No
 * part is confirmed before the album is complete, so that a restart gets all of them again.
 */
export class OpenAlbums {
  readonly #sizes = new Map<string, number>()

  get size(): number {
    return this.#sizes.size
  }

  /** Forgets albums that Telegram has no more. */
  keep(albums: ReadonlySet<string | undefined>): void {
    for (const album of this.#sizes.keys()) if (!albums.has(album)) this.#sizes.delete(album)
  }

  /** Returns whether an album is complete: it has not grown since the last poll, or cannot grow. */
  isComplete(album: string, size: number): boolean {
    const isComplete = size >= MAX_PARTS || this.#sizes.get(album) === size
    if (isComplete) this.#sizes.delete(album)
    else this.#sizes.set(album, size)
    return isComplete
  }
}
