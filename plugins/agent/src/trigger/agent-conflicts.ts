import type { Mistake } from '@mynah/kernel'
import { AGENT_NAME } from '@mynah/plugin-ai/api'
import { bySpecificity, isPersona, type MatchingAgent, type MatchingAgents } from './persona.js'

const ownPersonas = (agents: MatchingAgents): (readonly [string, MatchingAgent])[] =>
  Object.entries(agents).filter(([, agent]) => isPersona(agent))

/** Returns the agents that cannot have a folder of their own. */
export function agentMistakes(agents: MatchingAgents): readonly Mistake[] {
  const known = new Map<string, string>()
  return ownPersonas(agents).flatMap(([name]) => {
    const path = `ai.agents.${name}`
    if (!AGENT_NAME.test(name))
      return [{ path, message: 'is no name for an agent with `match`: it may have letters, digits, "_" and "-"' }]
    // Some file systems ignore case, and people do so when they name an agent.
    const other = known.get(name.toLowerCase())
    known.set(name.toLowerCase(), name)
    return other === undefined ? [] : [{ path, message: `differs from ${other} in case only` }]
  })
}

/** Returns the agents that fit the same messages as an earlier one, as specifically and with the same priority. */
export function agentConflicts(agents: MatchingAgents): readonly Mistake[] {
  const all = ownPersonas(agents)
  return all.flatMap(([name, agent], index) => {
    const other = all.slice(0, index).find(([, before]) => bySpecificity(before, agent) === 0 && overlap(before, agent))
    if (!other) return []
    const message = `fits the same messages as ${other[0]}, which answers those without a name; set a priority`
    return [{ path: `ai.agents.${name}.match`, message }]
  })
}

/** Returns whether there can be a message that fits both. Of an endpoint and a channel elsewhere nothing is known. */
function overlap({ match: a = {} }: MatchingAgent, { match: b = {} }: MatchingAgent): boolean {
  const shares = (one: readonly string[] | undefined, other: readonly string[] | undefined): boolean =>
    !one || !other || one.some((value) => other.some((each) => isSame(value, each)))
  return (
    shares(a.endpoint, b.endpoint) &&
    shares(a.channel, b.channel) &&
    shares(a.user, b.user) &&
    shares(a.command, b.command) &&
    shares(a.hasMedia, b.hasMedia)
  )
}

/** Returns whether two values can mean the same: an id for every endpoint means that of one as well. */
const isSame = (a: string, b: string): boolean =>
  a.toLowerCase() === b.toLowerCase() || a.endsWith(`|${b}`) || b.endsWith(`|${a}`)
