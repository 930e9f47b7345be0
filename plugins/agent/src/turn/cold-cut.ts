// What of an old conversation is sent no more, in large steps: after a pause, and where there is too much.
import { oldMedia } from '../compaction/old-media.js'
import type { Config } from '../config.js'
import type { Cut, Entry, NewEntry, Session } from '../session/types.js'

/** Providers have forgotten a prefix after so long: to change it costs nothing any more, ms. */
const CACHE_MS = 3_600_000

/** When a turn begins, when its host did, and whether sessions outlive that. */
interface Moment {
  readonly now: number
  readonly startedAt: number
  readonly durable: boolean
}

/** The cut with which a turn begins, where one is due. */
export function coldCut(path: readonly Entry[], session: Session, config: Config, host: Moment): NewEntry | undefined {
  const { now } = host
  const from = firstKept(path, session, config, host)
  const mediaBefore = from !== undefined || now - session.active_at > CACHE_MS ? oldMedia(path) : undefined
  const content: Cut = {
    ...(from === undefined ? {} : { from }),
    ...(mediaBefore === undefined ? {} : { mediaBefore }),
  }
  return from === undefined && mediaBefore === undefined ? undefined : { kind: 'cut', content }
}

/** The first message that is still sent, where those before it are to go. */
function firstKept(
  path: readonly Entry[],
  session: Session,
  config: Config,
  { now, startedAt, durable }: Moment,
): number | undefined {
  const { coldStartMaxMessages, coldStartMaxAgeMs, maxHistory = durable ? 200 : 100 } = config['ai.sessions']
  const from = path.reduce((most, entry) => Math.max(most, entry.kind === 'cut' ? (entry.content.from ?? 0) : 0), 0)
  const messages = path.filter((entry) => entry.kind === 'message' && entry.n >= from)
  const most = Math.min(
    maxHistory,
    config['ai.context'].enabled ? Math.max(config['ai.context'].maxRecentMessages, 2) : maxHistory,
  )
  const isCold =
    coldStartMaxAgeMs > 0
      ? now - session.active_at > coldStartMaxAgeMs
      : session.active_at < startedAt || now - session.active_at > CACHE_MS
  const keep =
    coldStartMaxMessages > 0 && isCold && messages.length > coldStartMaxMessages
      ? coldStartMaxMessages
      : messages.length > most
        ? Math.max(1, Math.floor(most / 2))
        : undefined
  if (keep === undefined) return undefined
  let at = messages.length - keep
  while (at < messages.length && (messages[at] as { role?: string }).role === 'tool') at++
  return messages[at]?.n
}
