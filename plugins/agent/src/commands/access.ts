import type { Reader } from '@mynah/kernel'
import { param, type Message } from '@mynah/plugin-chat/api'
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

/** Returns the key of the conversation that a command is about, by default that of the agent for unnamed words. */
export function keyOf(
  { runtime }: CommandServices,
  message: Message,
  agent = runtime.personaOf(message)?.name,
): string {
  const { adapter, endpoint, channel } = message
  return sessionKey(adapter, endpoint, channel, agent === MAIN ? undefined : agent)
}

export const sessionOf = (services: CommandServices, message: Message, agent?: string): Promise<Session | undefined> =>
  services.turns.sessions.active(keyOf(services, message, agent))

/** Returns the keys of all conversations in the place of a message, that for unnamed words first. */
export const keysAt = (services: CommandServices, message: Message): readonly string[] => [
  ...new Set(
    [undefined, MAIN, ...services.runtime.personasAt(message)].map((agent) => keyOf(services, message, agent)),
  ),
]

/** The name of the agent that answers where no other does. */
export const MAIN = 'main'

/** The argument that names one of several agents of a chat. */
export const agentParam = () =>
  param.string({ optional: true, description: both('one of the agents here, by its name', '此处的某个智能体名称') })

/** Returns the agent of this chat that a command names, by default the one for unnamed words. */
export function namedAgent(
  { runtime }: CommandServices,
  message: Message,
  name: string | undefined,
): string | undefined {
  if (name === undefined) return runtime.personaOf(message)?.name ?? MAIN
  const wanted = name.toLowerCase()
  return [...runtime.personasAt(message), MAIN].find((each) => each.toLowerCase() === wanted)
}

export const isOperator = ({ roles }: Message): boolean => OPERATORS.some((role) => roles.has(role))

/** Returns whether the sender may change the conversation: an operator, or the user of a private chat. */
export const mayManage = (message: Message): boolean => isOperator(message) || message.channel.type === 'private'

/** Returns whether the sender may read about the conversation: one who may manage it, or has a turn in it. */
export const mayLook = (services: CommandServices, message: Message): boolean =>
  mayManage(message) ||
  services.runtime.activeTurns
    .all()
    .some(
      ({ journal }) =>
        keysAt(services, message).includes(journal.sessionKey) && journal.origin.user === message.sender.id,
    )
