// Which media a cut takes away: those older than the last turns, so that a picture is paid for while it is talked about.
import type { Entry } from '../session/types.js'

/** Turns whose media stay. */
const TURNS = 3

type Message = Entry & { readonly kind: 'message' }

const hasMedia = (entry: Message): boolean =>
  entry.role === 'user'
    ? entry.content.some(({ type }) => type === 'media')
    : entry.role === 'tool' &&
      entry.content.some(({ output }) => typeof output !== 'string' && output.some(({ type }) => type === 'media'))

/** The media of which entries earlier cuts have taken away: those before this number. */
export const mediaTrimmedBefore = (path: readonly Entry[]): number =>
  path.reduce((most, entry) => Math.max(most, entry.kind === 'cut' ? (entry.content.mediaBefore ?? 0) : 0), 0)

/** The number of the entry before which media go at a cut; `undefined` where none would go that is still shown. */
export function trimmableMediaBefore(path: readonly Entry[]): number | undefined {
  const messages = path.filter((entry): entry is Message => entry.kind === 'message')
  const recent = new Set<string | undefined>()
  let line = Infinity
  for (const {
    seq: n,
    meta: { turn },
  } of messages.toReversed()) {
    if (!recent.has(turn) && recent.size === TURNS) break
    recent.add(turn)
    // Turns that ran at the same time have taken their numbers in turns.
    line = Math.min(line, n)
  }
  const gone = mediaTrimmedBefore(path)
  return messages.some((entry) => entry.seq < line && entry.seq >= gone && hasMedia(entry)) ? line : undefined
}
