import type { Contribution, Reader } from '@mynah/kernel'
import type { Tool, ToolDefinition } from '@mynah/plugin-ai/api'
import type { AgentConfig } from '../config.js'
import { rankByTerms, searchTerms } from '../search.js'
import { byUsefulness } from './usefulness.js'

/** Ranks tools by their name, description and keywords, the best match first. Tools that share no term are left out. */
export function rankTools(tools: readonly Tool[], text: string): Tool[] {
  return rankByTerms([...tools].sort(byName), text, ({ name, keywords = [], description }) =>
    searchTerms(`${name} ${name} ${keywords.join(' ')} ${keywords.join(' ')} ${description}`),
  )
}

/** Tools that no sub-agent may call, whatever is configured. */
export const NOT_FOR_WORKERS: ReadonlySet<string> = new Set([
  'tool_search',
  'run_deferred_task',
  'spawn_task',
  'activate_skill',
  'install_skill',
])

/** Returns whether tasks use a tool in place of the agent. */
export const isForTasks = ({ deferred }: Tool, all: readonly Tool[]): boolean =>
  deferred === true && all.some(({ name }) => name === 'run_deferred_task')

const byName = (a: Tool, b: Tool): number => Number(a.name > b.name) - Number(a.name < b.name)

export interface Selection {
  readonly chosen: readonly Tool[]
  readonly deferred: readonly Tool[]
}

/** Options of {@link selectTools}. */
interface SelectionOptions {
  readonly orchestrationOnly: boolean
  /** Names of the tools that an agent may have. */
  readonly only?: readonly string[]
  /** Whether `only` holds for permanent tools as well. */
  readonly exactly?: boolean
  /** Names of tools that were called lately, the last one first. */
  readonly lately?: readonly string[]
  /** Names of the tools of the prompt that this one replaces, in their order. They stay, so that its beginning does. */
  readonly kept?: readonly string[]
}

/** Places for tools that a search finds. */
export const FOUND_PLACES = 4
/** Tools that match the last words best and get a place next to those that are kept. */
const MATCHES_OF_KEPT = 2
/** Tools that are chosen before places for found ones are kept free. */
const MIN_CHOSEN = 8

/**
 * Selects the tools of a new prompt: the permanent ones and at most `most` others. Of more tools those that match
 * `text` come first, in half of the places. The other places go to tools that were called lately, and then to the
 * most useful ones; the last few stay free for found tools. The rest is deferred. Those that are `kept` come before
 * all but the two best matches.
 */
export function selectTools(
  all: readonly Tool[],
  text: string,
  most: number,
  { orchestrationOnly, only, exactly = false, lately = [], kept = [] }: SelectionOptions,
): Selection {
  const usable = all
    .filter(({ name, permanent }) => (permanent && !exactly) || !only || only.includes(name))
    .sort(byName)
  const permanent = usable.filter((tool) => tool.permanent)
  const inOrder = inOrderOf(kept)
  if (orchestrationOnly) return { chosen: inOrder(permanent), deferred: usable.filter((tool) => !tool.permanent) }
  const forTasks = new Set(usable.filter((tool) => isForTasks(tool, all) && !only?.includes(tool.name)))
  const others = all.filter((tool) => usable.includes(tool) && !tool.permanent && !forTasks.has(tool))
  if (others.length <= most)
    return { chosen: inOrder(usable.filter((tool) => !forTasks.has(tool))), deferred: [...forTasks] }
  const before = named(kept, others)
  // With exactly these tools there is no search for others.
  const places = exactly ? most : Math.min(most, Math.max(MIN_CHOSEN, most - FOUND_PLACES, before.length))
  const fitting = rankTools(others, text).slice(0, Math.ceil(places / 2))
  const inTurn = new Set([
    ...(before.length > 0 ? fitting.slice(0, MATCHES_OF_KEPT) : []),
    ...named(lately, before),
    ...byUsefulness(before),
    ...fitting,
    ...named(lately, others),
    ...byUsefulness(others),
  ])
  const chosen = new Set([...inTurn].slice(0, places))
  return {
    chosen: inOrder([...permanent, ...chosen]),
    deferred: usable.filter((tool) => !tool.permanent && !chosen.has(tool)),
  }
}

const named = (names: readonly string[], tools: readonly Tool[]): Tool[] =>
  names.flatMap((name) => tools.filter((tool) => tool.name === name))

/** Returns a function that puts tools in the order of these names, and then others by the alphabet. */
function inOrderOf(names: readonly string[]): (tools: readonly Tool[]) => Tool[] {
  const places = new Map(names.map((name, index) => [name, index]))
  const placeOf = ({ name }: Tool): number => places.get(name) ?? names.length
  return (tools) => [...tools].sort((a, b) => placeOf(a) - placeOf(b) || byName(a, b))
}

export const definitionOf = ({ name, description, parameters }: Tool): ToolDefinition => ({
  name,
  description,
  parameters,
})

/**
 * Returns the tools that an agent sees: not those that are disabled for its model, and where it names tools or MCP
 * servers, only those. Tools that it does not see it can neither find nor call.
 *
 * @param agents the agent, and the one for which it works
 */
export function visibleTools(
  contributed: Reader<Tool>,
  agents: readonly Pick<AgentConfig, 'mcpServers' | 'tools'>[],
  { disabledTools }: { readonly disabledTools: readonly string[] },
): Tool[] {
  return contributed
    .all()
    .filter(
      ({ value, owner }: Contribution<Tool>) =>
        !disabledTools.includes(value.name) &&
        agents.every(
          ({ mcpServers, tools }) =>
            (!mcpServers || owner !== 'mcp' || mcpServers.includes(value.source ?? '')) &&
            (!tools || value.permanent === true || tools.includes(value.name)),
        ),
    )
    .map(({ value }) => value)
}
