import type { Contribution, Reader } from '@mynah/kernel'
import type { Tool, ToolDefinition } from '@mynah/plugin-ai/api'
import { rankByTerms, searchTerms } from '../search.js'

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

/**
 * Selects the tools of a new prompt: the permanent ones and at most `most` others. When there are more, those that
 * match
 * `text` come first and the rest is deferred.
 *
 * @param options `only` names the tools that an agent may have; with `exactly` it holds for permanent ones as well
 */
export function selectTools(
  all: readonly Tool[],
  text: string,
  most: number,
  options: { readonly orchestrationOnly: boolean; readonly only?: readonly string[]; readonly exactly?: boolean },
): Selection {
  const usable = all
    .filter(({ name, permanent }) => (permanent && !options.exactly) || !options.only || options.only.includes(name))
    .sort(byName)
  const permanent = usable.filter((tool) => tool.permanent)
  if (options.orchestrationOnly) return { chosen: permanent, deferred: usable.filter((tool) => !tool.permanent) }
  const forTasks = new Set(usable.filter((tool) => isForTasks(tool, all) && !options.only?.includes(tool.name)))
  const others = usable.filter((tool) => !tool.permanent && !forTasks.has(tool))
  if (others.length <= most) return { chosen: usable.filter((tool) => !forTasks.has(tool)), deferred: [...forTasks] }
  const fitting = rankTools(others, text)
  const chosen = new Set([...fitting, ...others.filter((tool) => !fitting.includes(tool))].slice(0, most))
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

/** Returns whether one of the roles allows a tool. */
export const mayCall = (tool: Tool, roles: ReadonlySet<string>): boolean =>
  !tool.requiredAnyRole?.length || tool.requiredAnyRole.some((role) => roles.has(role))
