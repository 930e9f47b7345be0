import { HOUR_MS, omitUndefined } from '@mynah/kernel/util'
import { trimmableMediaBefore } from '../compaction/media-trim.js'
import type { Config } from '../config.js'
import type { Entry, NewEntry, Session } from '../session/types.js'

/** After this pause providers have dropped a cached prefix, so that changing it costs nothing more. */
const CACHE_MS = HOUR_MS

/** The moment at which a turn begins. Times in milliseconds since the epoch. */
interface Moment {
  readonly now: number
  readonly hostStartedAt: number
  /** Whether sessions survive a stop of the host. */
  readonly durable: boolean
}

/** Returns the trim with which a turn begins, or `undefined` when none is due. It trims in large steps. */
export function trimHistory(
  path: readonly Entry[],
  session: Session,
  config: Config,
  moment: Moment,
): NewEntry | undefined {
  const from = firstKeptSeq(path, session, config, moment)
  const isCacheCold = moment.now - session.activeAt > CACHE_MS
  const mediaBefore = from !== undefined || isCacheCold ? trimmableMediaBefore(path) : undefined
  if (from === undefined && mediaBefore === undefined) return undefined
  return { kind: 'cut', content: omitUndefined({ from, mediaBefore }) }
}

/** A bound on the number of messages, and how many stay when it is exceeded. */
interface Limit {
  readonly applies: boolean
  readonly most: number
  readonly keep: number
}

/** Returns the number of the first message that is still sent, or `undefined` when nothing new is trimmed. */
function firstKeptSeq(path: readonly Entry[], session: Session, config: Config, moment: Moment): number | undefined {
  const trimmedBefore = path.reduce(
    (most, entry) => Math.max(most, entry.kind === 'cut' ? (entry.content.from ?? 0) : 0),
    0,
  )
  const messages = path.filter((entry) => entry.kind === 'message' && entry.seq >= trimmedBefore)
  const oldest = oldestAfterPause(session, config, moment)
  if (oldest !== undefined && messages.some(({ at }) => at < oldest))
    return (
      messages.find((entry) => entry.at >= oldest && (entry as { role?: string }).role !== 'tool')?.seq ??
      (path.at(-1)?.seq ?? 0) + 1
    )
  const exceeded = limitsOf(session, config, moment).find(({ applies, most }) => applies && messages.length > most)
  if (!exceeded) return undefined
  let index = messages.length - exceeded.keep
  // Results without their call are refused by providers.
  while (index < messages.length && (messages[index] as { role?: string }).role === 'tool') index++
  return messages[index]?.seq
}

/** Returns from when on messages are still sent after a pause, where only their age is limited. */
function oldestAfterPause(session: Session, config: Config, { now, hostStartedAt }: Moment): number | undefined {
  const { coldStartMaxMessages, coldStartMaxAgeMs } = config['ai.sessions']
  if (coldStartMaxMessages > 0 || coldStartMaxAgeMs === 0) return undefined
  const isCold = session.activeAt < hostStartedAt || now - session.activeAt > Math.min(coldStartMaxAgeMs, CACHE_MS)
  return isCold ? now - coldStartMaxAgeMs : undefined
}

/** Returns the limits by precedence. */
function limitsOf(session: Session, config: Config, { now, hostStartedAt, durable }: Moment): readonly Limit[] {
  const { coldStartMaxMessages, coldStartMaxAgeMs, maxHistory = durable ? 200 : 100 } = config['ai.sessions']
  const { enabled, maxRecentMessages } = config['ai.context']
  const pauseMs = now - session.activeAt
  const afterPause = { most: coldStartMaxMessages, keep: coldStartMaxMessages }
  const half = (most: number): number => Math.max(1, Math.floor(most / 2))
  const most = enabled ? Math.min(maxHistory, Math.max(maxRecentMessages, 2)) : maxHistory
  return [
    { ...afterPause, applies: coldStartMaxMessages > 0 && coldStartMaxAgeMs > 0 && pauseMs > coldStartMaxAgeMs },
    { ...afterPause, applies: coldStartMaxMessages > 0 && coldStartMaxAgeMs === 0 && pauseMs > CACHE_MS },
    {
      ...afterPause,
      applies: coldStartMaxMessages > 0 && coldStartMaxAgeMs === 0 && session.activeAt < hostStartedAt,
    },
    { applies: true, most, keep: half(most) },
  ]
}
