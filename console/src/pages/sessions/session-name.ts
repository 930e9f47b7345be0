import { parseSessionKey } from './model.js'
import { t } from './texts.js'
import type { SessionRow } from './wire.js'

type Named = Pick<SessionRow, 'sessionKey' | 'title' | 'subject'>

/** Sessions that belong to no conversation; the second part of their key is an id. */
const KINDS = ['job', 'task', 'ask'] as const

/** Returns the conversation of a key in words. */
function placeName(key: string): string {
  const kind = KINDS.find((name) => key.startsWith(`${name}|`))
  if (kind) return t(`kind.${kind}`)
  const { place, endpoint } = parseSessionKey(key)
  return endpoint ? t('on', { place, endpoint }) : place
}

/** Returns what a session is about: the name of its job, its first words, else where it is. */
export const sessionName = ({ sessionKey, title, subject }: Named): string => subject || title || placeName(sessionKey)

/** Returns where a session is, with the name of the person or channel. */
export function placeOf({ sessionKey, title }: Named): string {
  const { endpoint } = parseSessionKey(sessionKey)
  return title && endpoint ? t('on', { place: title, endpoint }) : placeName(sessionKey)
}

/** Returns the address of a session, or of a message in it. */
export function sessionAddress(
  { sessionKey, sessionId, state }: Pick<SessionRow, 'sessionKey' | 'sessionId' | 'state'>,
  entryId?: number,
): string {
  const query = new URLSearchParams({ key: sessionKey })
  if (state === 'archived') query.set('epoch', sessionId)
  if (entryId !== undefined) query.set('at', String(entryId))
  return `/agent/sessions?${query.toString()}`
}
