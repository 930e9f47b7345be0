import type { Entry, MessageEntry } from '../session/types.js'

/** Turns whose media stay: an image is paid for while people talk about it. */
const RECENT_TURNS = 3

const hasMedia = (entry: MessageEntry): boolean =>
  entry.role === 'user'
    ? entry.content.some(({ type }) => type === 'media')
    : entry.role === 'tool' &&
      entry.content.some(({ output }) => typeof output !== 'string' && output.some(({ type }) => type === 'media'))

/** Returns the number of the entry before which earlier trims have removed media. */
export const mediaTrimmedBefore = (path: readonly Entry[]): number =>
  path.reduce((most, entry) => Math.max(most, entry.kind === 'cut' ? (entry.content.mediaBefore ?? 0) : 0), 0)

/** Returns the number of the entry before which a trim removes media, or `undefined` when it would remove none. */
export function trimmableMediaBefore(path: readonly Entry[]): number | undefined {
  const messages = path.filter((entry): entry is MessageEntry => entry.kind === 'message')
  const recent = new Set<string | undefined>()
  let line = Infinity
  for (const {
    seq: n,
    meta: { turn },
  } of messages.toReversed()) {
    if (!recent.has(turn) && recent.size === RECENT_TURNS) break
    recent.add(turn)
    // The numbers of turns that ran at the same time are interleaved.
    line = Math.min(line, n)
  }
  const trimmedBefore = mediaTrimmedBefore(path)
  return messages.some((entry) => entry.seq < line && entry.seq >= trimmedBefore && hasMedia(entry)) ? line : undefined
}
