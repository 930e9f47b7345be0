// Which tools a head carries: the permanent ones, then those that fit what was said, by name; the rest is found by searching.
import type { Contribution, Reader } from '@mynah/kernel'
import type { Tool, ToolDefinition } from '@mynah/plugin-ai/api'
import { bestFitting, termsOf } from '../search.js'

/** Tools by how well they fit a text (over name, description and keywords), best first; those that share nothing are left out. */
export function ranked(tools: readonly Tool[], text: string): Tool[] {
  return bestFitting([...tools].sort(byName), text, ({ name, keywords = [], description }) => termsOf(`${name} ${name} ${keywords.join(' ')} ${keywords.join(' ')} ${description}`))
}

/** What no sub-agent may call, whatever is configured. */
export const NOT_FOR_WORKERS: ReadonlySet<string> = new Set(['tool_search', 'run_deferred_task', 'spawn_task', 'activate_skill', 'install_skill'])

const byName = (a: Tool, b: Tool): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

export interface Selection { readonly chosen: readonly Tool[]; readonly deferred: readonly Tool[] }

/**
 * The tools of a new head: permanent ones beside at most `most` others. Where there are more, those that fit `text` come first,
 * and the rest is deferred; `only` narrows them to what an agent may have, `exactly` the permanent ones too.
 */
export function selectTools(all: readonly Tool[], text: string, most: number, options: { readonly orchestrationOnly: boolean; readonly only?: readonly string[]; readonly exactly?: boolean; readonly disabled: readonly string[] }): Selection {
  const usable = all.filter(({ name, permanent }) => !options.disabled.includes(name) && ((permanent && !options.exactly) || !options.only || options.only.includes(name))).sort(byName)
  const permanent = usable.filter((tool) => tool.permanent)
  const others = usable.filter((tool) => !tool.permanent)
  if (options.orchestrationOnly) return { chosen: permanent, deferred: others }
  if (others.length <= most) return { chosen: usable, deferred: [] }
  const fitting = ranked(others, text)
  const chosen = new Set([...fitting, ...others.filter((tool) => !fitting.includes(tool))].slice(0, most))
  return { chosen: [...permanent, ...chosen].sort(byName), deferred: others.filter((tool) => !chosen.has(tool)) }
}

export const definitionOf = ({ name, description, parameters }: Tool): ToolDefinition => ({ name, description, parameters })

/** The tools of servers that an agent sees; those of plugins always. */
export function visibleTools(contributed: Reader<Tool>, servers: readonly string[] | undefined): Tool[] {
  return contributed.all().filter(({ value, owner }: Contribution<Tool>) => !servers || owner !== 'mcp' || servers.includes(value.source ?? '')).map(({ value }) => value)
}

/** Whether the roles suffice for a tool. */
export const mayCall = (tool: Tool, roles: ReadonlySet<string>): boolean => !tool.requiredAnyRole?.length || tool.requiredAnyRole.some((role) => roles.has(role))
