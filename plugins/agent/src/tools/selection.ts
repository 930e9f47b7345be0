import type { Contribution, Reader } from '@mynah/kernel'
import type { Tool, ToolDefinition } from '@mynah/plugin-ai/api'
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
}

/** Places for tools that a search finds. */
export const FOUND_PLACES = 4
/** Tools that are chosen before places for found ones are kept free. */
const MIN_CHOSEN = 8

/**
 * Selects the tools of a new prompt: the permanent ones and at most `most` others. Of more tools those that match
 * `text` come first, in half of the places. The other places go to tools that were called lately, and then to the
 * most useful ones; the last few stay free for found tools. The rest is deferred.
 */
export function selectTools(
  all: readonly Tool[],
  text: string,
  most: number,
  { orchestrationOnly, only, exactly = false, lately = [] }: SelectionOptions,
): Selection {
  const usable = all
    .filter(({ name, permanent }) => (permanent && !exactly) || !only || only.includes(name))
    .sort(byName)
  const permanent = usable.filter((tool) => tool.permanent)
  if (orchestrationOnly) return { chosen: permanent, deferred: usable.filter((tool) => !tool.permanent) }
  const forTasks = new Set(usable.filter((tool) => isForTasks(tool, all) && !only?.includes(tool.name)))
  const others = all.filter((tool) => usable.includes(tool) && !tool.permanent && !forTasks.has(tool))
  if (others.length <= most) return { chosen: usable.filter((tool) => !forTasks.has(tool)), deferred: [...forTasks] }
  // With exactly these tools there is no search for others.
  const places = exactly ? most : Math.max(Math.min(most, MIN_CHOSEN), most - FOUND_PLACES)
  const fitting = rankTools(others, text).slice(0, Math.ceil(places / 2))
  const used = lately.flatMap((name) => others.filter((tool) => tool.name === name))
  const chosen = new Set([...new Set([...fitting, ...used, ...byUsefulness(others)])].slice(0, places))
  return {
    chosen: [...permanent, ...chosen].sort(byName),
    deferred: usable.filter((tool) => !tool.permanent && !chosen.has(tool)),
  }
}

export const definitionOf = ({ name, description, parameters }: Tool): ToolDefinition => ({
  name,
  description,
  parameters,
})

/**
 * Returns the tools that an agent sees: not those that are disabled for its model, and of MCP servers those it names.
 * Tools that it does not see it can neither find nor call.
 */
export function visibleTools(
  contributed: Reader<Tool>,
  { mcpServers }: { readonly mcpServers?: readonly string[] | undefined },
  { disabledTools }: { readonly disabledTools: readonly string[] },
): Tool[] {
  return contributed
    .all()
    .filter(
      ({ value, owner }: Contribution<Tool>) =>
        !disabledTools.includes(value.name) &&
        (!mcpServers || owner !== 'mcp' || mcpServers.includes(value.source ?? '')),
    )
    .map(({ value }) => value)
}
