// Which tools a head carries: the permanent ones, then those that fit what was said, by name; the rest is found by searching.
import type { Contribution, Reader } from '@mynah/kernel'
import type { Tool, ToolDefinition } from '@mynah/plugin-ai/api'
import { rankByTerms, searchTerms } from '../search.js'

/** Tools by how well they fit a text (over name, description and keywords), best first; those that share nothing are left out. */
export function rankTools(tools: readonly Tool[], text: string): Tool[] {
  return rankByTerms([...tools].sort(byName), text, ({ name, keywords = [], description }) =>
    searchTerms(`${name} ${name} ${keywords.join(' ')} ${keywords.join(' ')} ${description}`),
  )
}

/** What no sub-agent may call, whatever is configured. */
export const NOT_FOR_WORKERS: ReadonlySet<string> = new Set([
  'tool_search',
  'run_deferred_task',
  'spawn_task',
  'activate_skill',
  'install_skill',
])

/** Whether a tool is used by tasks in place of the agent. */
export const isForTasks = ({ deferred }: Tool, all: readonly Tool[]): boolean =>
  deferred === true && all.some(({ name }) => name === 'run_deferred_task')

const byName = (a: Tool, b: Tool): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

export interface Selection {
  readonly chosen: readonly Tool[]
  readonly deferred: readonly Tool[]
}

/**
 * The tools of a new head: permanent ones beside at most `most` others. Where there are more, those that fit `text` come first,
 * and the rest is deferred; `only` narrows them to what an agent may have, `exactly` the permanent ones too.
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

/** The tools that an agent sees: of servers those that it names, and none that is disabled for its model. What it does not see it neither finds nor calls. */
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

/** Whether the roles suffice for a tool. */
export const mayCall = (tool: Tool, roles: ReadonlySet<string>): boolean =>
  !tool.requiredAnyRole?.length || tool.requiredAnyRole.some((role) => roles.has(role))
