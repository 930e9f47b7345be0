import type { ReplyToken } from '@mynah/plugin-chat/api'
import { madeAt } from './inbound.js'
import { fieldsOf, idOf, listOf, textOf, type Fields } from './wire.js'

/** Discord takes answers for 15 minutes. The rest is for a slow answer. */
const VALID_MS = 14.5 * 60_000
const COMMAND = 2
const COMPONENT = 3
/** Answers that show that more follows. */
const DEFERRED = { command: 5, button: 6 } as const

/** A command that a user has chosen, or a button that was pressed. */
export interface Interaction {
  readonly id: string
  readonly kind: keyof typeof DEFERRED
  readonly token: string
  readonly text: string
  readonly via: ReplyToken
  /** Sent to Discord once it is stored. */
  readonly acknowledgement: { readonly type: number }
}

/** Returns what a user has chosen; `undefined` for other kinds of interactions. */
export function interactionOf(data: Fields, prefix: string): Interaction | undefined {
  const id = idOf(data.id)
  const application = idOf(data.application_id)
  const token = textOf(data.token, 512)
  const chosen = fieldsOf(data.data)
  const kind = ({ [COMMAND]: 'command', [COMPONENT]: 'button' } as const)[data.type as number]
  if (id === undefined || application === undefined || !/^[\w.-]+$/.test(token) || !kind) return undefined
  const words = kind === 'command' ? commandOf(chosen, prefix) : /^\d+:(.+)$/s.exec(textOf(chosen.custom_id, 100))?.[1]
  if (words === undefined) return undefined
  return {
    id,
    kind,
    token,
    text: words,
    via: { token: `${kind}:${application}:${token}`, until: madeAt(id) + VALID_MS },
    acknowledgement: { type: DEFERRED[kind] },
  }
}

function commandOf({ name, options }: Fields, prefix: string): string | undefined {
  const command = textOf(name, 32)
  const values = listOf(options).map(({ value }) => textOf(value, 6_000))
  return command === '' ? undefined : [prefix + command, ...values].join(' ').trim()
}

/** Returns the parts of what {@link Interaction.via} holds. */
export function partsOf({ token }: ReplyToken): { isCommand: boolean; application: string; token: string } {
  const [kind, application = '', ...rest] = token.split(':')
  return { isCommand: kind === 'command', application, token: rest.join(':') }
}
