// Which agent a message is for: pure functions over a message and the configuration.
import type { Channel } from '@mynah/contract/types'

/** The parts of a configured agent that decide about its messages. */
export interface MatchingAgent {
  readonly match?:
    | {
        readonly endpoint?: readonly string[] | undefined
        readonly channel?: readonly string[] | undefined
        readonly user?: readonly string[] | undefined
        readonly command?: readonly string[] | undefined
        readonly hasMedia?: readonly string[] | undefined
      }
    | undefined
  readonly priority?: number | undefined
}
/** Agents by name, in the order of the file. */
export type MatchingAgents = Readonly<Record<string, MatchingAgent>>

/** The facts of a message that decide which agent it is for. */
export interface Addressed {
  readonly adapter: string
  readonly endpoint: string
  readonly channel: Channel
  readonly sender: { readonly id: string }
  /** The words behind a mention of the bot. */
  readonly words: string
  /** The kinds of its media. */
  readonly kinds: ReadonlySet<string>
}

/** An agent with conversations, files and memory of its own, and why it is the one. */
export interface Persona {
  readonly name: string
  /** Whether the message begins with its name. */
  readonly isNamed: boolean
  /** The words behind its command, where the message begins with that. */
  readonly commandText?: string
}

type Match = NonNullable<MatchingAgent['match']>
/** Conditions that make an agent a persona, the most specific first. Media alone do not: it answers for `main` then. */
const CONDITIONS = ['command', 'user', 'channel', 'endpoint'] as const
type Condition = (typeof CONDITIONS)[number]

/** Returns whether an agent has conversations of its own. */
export const isPersona = ({ match }: Pick<MatchingAgent, 'match'>): boolean =>
  match !== undefined && CONDITIONS.some((condition) => match[condition] !== undefined)

/** Returns the agents with conversations of their own, the one that comes first where several fit. */
const personas = (agents: MatchingAgents): readonly (readonly [string, MatchingAgent])[] =>
  Object.entries(agents)
    .filter(([, agent]) => isPersona(agent))
    .sort(([, a], [, b]) => bySpecificity(a, b))

/** The order of agents that fit: more specific conditions first, then a higher priority, then that of the file. */
export function bySpecificity(a: MatchingAgent, b: MatchingAgent): number {
  for (const condition of [...CONDITIONS, 'hasMedia'] as const) {
    const difference = Number(b.match?.[condition] !== undefined) - Number(a.match?.[condition] !== undefined)
    if (difference !== 0) return difference
  }
  return (b.priority ?? 0) - (a.priority ?? 0)
}

/** Returns whether each condition on the place and the person holds. */
function fitsPlace(match: Match, { adapter, endpoint, channel, sender }: Addressed): boolean {
  const at = (id: string): readonly string[] => [id, `${adapter}|${endpoint}|${id}`]
  const here: Readonly<Record<Exclude<Condition, 'command'>, readonly string[]>> = {
    endpoint: [endpoint, `${adapter}|${endpoint}`],
    channel: [...at(channel.id), ...(channel.parent ? at(channel.parent.id) : [])],
    user: at(sender.id),
  }
  const holds = (condition: keyof typeof here): boolean =>
    match[condition]?.some((value) => here[condition].includes(value)) ?? true
  return holds('endpoint') && holds('channel') && holds('user')
}

const lower = (text: string): string => text.toLowerCase()

/** Returns whether words begin with a name: `Ada, …`, `Ada: …` or `@Ada …`. */
export function beginsWithName(words: string, name: string): boolean {
  const mention = words.startsWith('@') ? 1 : 0
  const text = words.slice(mention)
  if (lower(text.slice(0, name.length)) !== lower(name)) return false
  const rest = text.slice(name.length)
  return mention ? /^(?:$|[\s,:;!?，：；！？、])/u.test(rest) : /^\s?(?:$|[,:，：、])/u.test(rest)
}

/** Returns the command that words begin with and the rest of them. */
function commandOf(words: string, prefix: string): { readonly name: string; readonly rest: string } | undefined {
  if (prefix === '' || !words.startsWith(prefix)) return undefined
  const [, name = '', rest = ''] = /^([\p{L}\p{N}_-]+)\s*(.*)$/su.exec(words.slice(prefix.length)) ?? []
  return name === '' ? undefined : { name: lower(name), rest }
}

/**
 * Returns the agent that a message is for: the one whose command it begins with, else the one that it names, else the
 * most specific one that fits. `undefined` where the agent `main` answers.
 */
export function personaFor(message: Addressed, agents: MatchingAgents, prefix: string): Persona | undefined {
  const fitting = personas(agents).filter(
    ([, { match = {} }]) =>
      fitsPlace(match, message) && (match.hasMedia?.some((kind) => message.kinds.has(kind)) ?? true),
  )
  if (fitting.length === 0) return undefined
  const command = commandOf(message.words, prefix)
  const called = command && fitting.find(([, { match }]) => match?.command?.map(lower).includes(command.name))
  if (called) return { name: called[0], isNamed: true, commandText: command.rest }
  const others = fitting.filter(([, { match }]) => match?.command === undefined)
  const named = others.find(([name]) => beginsWithName(message.words, name))
  const name = (named ?? others[0])?.[0]
  return name === undefined ? undefined : { name, isNamed: named !== undefined }
}

/** Returns the names of all agents that may be meant in a conversation, that of unnamed words first. */
export const personasIn = (message: Addressed, agents: MatchingAgents): readonly string[] =>
  personas(agents)
    .filter(([, { match = {} }]) => fitsPlace(match, message))
    .map(([name]) => name)
