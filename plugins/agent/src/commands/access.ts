import type { Reader } from '@mynah/kernel'
import type { Message } from '@mynah/plugin-chat/api'
import type { ReadinessCheck } from '@mynah/plugin-http-core/api'
import type { PairingDesk } from '../access/pairing-desk.js'
import type { Compactor } from '../compaction/compactor.js'
import type { AgentRuntime } from '../runtime.js'
import { sessionKey } from '../session/key.js'
import type { Trees } from '../session/trees.js'
import type { Session } from '../session/types.js'
import { OPERATORS } from '../operators.js'
import type { Turns } from '../turn/turns.js'
import type { UsageLog } from '../usage-log.js'

/** The parts of the agent that commands use. */
export interface CommandServices {
  readonly runtime: AgentRuntime
  readonly turns: Turns
  readonly trees: Trees
  readonly compactor: Compactor
  readonly usage: UsageLog
  readonly desk: PairingDesk
  readonly checks: Reader<ReadinessCheck>
}

export { OPERATORS }

export const both = (en: string, zh: string) => ({ en, 'zh-CN': zh })

export const keyOf = ({ adapter, endpoint, channel }: Message): string => sessionKey(adapter, endpoint, channel)

export const sessionOf = ({ turns }: CommandServices, message: Message): Promise<Session | undefined> =>
  turns.sessions.active(keyOf(message))

export const isOperator = ({ roles }: Message): boolean => OPERATORS.some((role) => roles.has(role))

/** Returns whether the sender may change the conversation: an operator, or the user of a private chat. */
export const mayManage = (message: Message): boolean => isOperator(message) || message.channel.type === 'private'

/** Returns whether the sender may read about the conversation: one who may manage it, or has a turn in it. */
export const mayLook = ({ runtime }: CommandServices, message: Message): boolean =>
  mayManage(message) ||
  runtime.activeTurns
    .all()
    .some(({ journal }) => journal.sessionKey === keyOf(message) && journal.origin.user === message.sender.id)
