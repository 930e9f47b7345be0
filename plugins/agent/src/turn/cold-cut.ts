// What of an old conversation is sent no more, in large steps: after a pause, and where there is too much.
import type { Config } from '../config.js'
import type { Entry, NewEntry, Session } from '../session/types.js'

/** The cut with which a turn begins, where one is due. */
export function coldCut(path: readonly Entry[], session: Session, config: Config, now: number, durable: boolean): NewEntry | undefined {
  const { coldStartMaxMessages, coldStartMaxAgeMs, maxHistory = durable ? 200 : 100 } = config['ai.sessions']
  const from = path.reduce((most, entry) => Math.max(most, entry.kind === 'cut' ? entry.content.from ?? 0 : 0), 0)
  const messages = path.filter((entry) => entry.kind === 'message' && entry.n >= from)
  const most = Math.min(maxHistory, config['ai.context'].enabled ? Math.max(config['ai.context'].maxRecentMessages, 2) : maxHistory)
  const cold = coldStartMaxMessages > 0 && coldStartMaxAgeMs > 0 && now - session.active_at > coldStartMaxAgeMs && messages.length > coldStartMaxMessages
  const keep = cold ? coldStartMaxMessages : messages.length > most ? Math.max(1, Math.floor(most / 2)) : undefined
  if (keep === undefined) return undefined
  let at = messages.length - keep
  while (at < messages.length && (messages[at] as { role?: string }).role === 'tool') at++
  const first = messages[at]
  return first && { kind: 'cut', content: { from: first.n, mediaBefore: first.n } }
}
