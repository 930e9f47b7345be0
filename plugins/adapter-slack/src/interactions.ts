import type { ReplyToken } from '@mynah/plugin-chat/api'
import type { Envelope } from './link.js'
import { fieldsOf, idOf, listOf, nameOf, textOf, tsOf, type Fields } from './wire.js'

/** Slack takes answers for 30 minutes. The rest is for a slow answer. */
const VALID_MS = 29 * 60_000

/** A slash command, or a button that was pressed. */
export interface Interaction {
  readonly id: string
  readonly channel: string
  readonly user: string
  readonly name: string | undefined
  readonly text: string
  /** The message that has the button, and its thread. */
  readonly ts: string | undefined
  readonly thread: string | undefined
  readonly via: ReplyToken
}

/** Returns what a user has chosen; `undefined` for other kinds of interactions. */
export function interactionOf({ type, payload }: Envelope, prefix: string, now: number): Interaction | undefined {
  const token = textOf(payload.response_url, 2_048)
  const via = { token, until: now + VALID_MS }
  const parts = type === 'slash_commands' ? commandOf(payload, prefix) : pressOf(payload)
  return parts && /^https?:\/\//.test(token) ? { ...parts, via } : undefined
}

function commandOf(payload: Fields, prefix: string): Omit<Interaction, 'via'> | undefined {
  const channel = idOf(payload.channel_id)
  const user = idOf(payload.user_id)
  const command = /^\/(\S{1,64})$/.exec(textOf(payload.command, 65))?.[1]
  const trigger = textOf(payload.trigger_id, 200)
  if (channel === undefined || user === undefined || command === undefined || trigger === '') return undefined
  const text = `${prefix}${command} ${textOf(payload.text)}`.trim()
  const name = nameOf(payload.user_name)
  return { id: `command:${trigger}`, channel, user, name, text, ts: undefined, thread: undefined }
}

function pressOf(payload: Fields): Omit<Interaction, 'via'> | undefined {
  if (payload.type !== 'block_actions') return undefined
  const { channel_id: place, message_ts: at, thread_ts: thread } = fieldsOf(payload.container)
  const { id: userId, username, name } = fieldsOf(payload.user)
  const channel = idOf(fieldsOf(payload.channel).id) ?? idOf(place)
  const user = idOf(userId)
  const [{ value, action_ts: pressed } = {} as Fields] = listOf(payload.actions)
  const text = textOf(value, 2_000)
  const when = tsOf(pressed)
  if (channel === undefined || user === undefined || when === undefined || text === '') return undefined
  const ts = tsOf(at)
  const id = `press:${channel}:${when}:${user}`
  const inThread = tsOf(thread) ?? tsOf(fieldsOf(payload.message).thread_ts)
  return { id, channel, user, name: nameOf(name, username), text, ts, thread: inThread }
}
