// What the head of a prompt costs: each section and the files in it, the tools, and those of each MCP server.
import type { ToolDefinition } from '@mynah/plugin-ai/api'
import type { SectionFile } from './api.js'
import { tokensOf } from './compaction/plan.js'
import type { HeadSection } from './session/types.js'

const number = (value: number): string => value.toLocaleString('en-US')

/** A file as `/context` tells of it. */
export const fileLine = ({ name, raw, injected, cut }: SectionFile): string => `${name}: ${number(raw)} bytes raw, ${number(injected)} injected${cut ? ', cut' : ''}`

interface Cost { readonly name: string; readonly count: number; readonly tokens: number }

/** Lines of `/context`; `sourceOf` names the server of a tool. */
export function headLines({ sections = [], tools }: { readonly sections?: readonly HeadSection[]; readonly tools: readonly ToolDefinition[] }, sourceOf: (tool: string) => string | undefined): string[] {
  const servers = new Map<string, Cost>()
  let all = 0
  for (const tool of tools) {
    const tokens = tokensOf(tool)
    all += tokens
    const name = sourceOf(tool.name)
    if (name === undefined) continue
    const { count = 0, tokens: before = 0 } = servers.get(name) ?? {}
    servers.set(name, { name, count: count + 1, tokens: before + tokens })
  }
  return [
    ...sections.flatMap(({ title, bytes, tokens, files = [] }) => [`  ${title}: ${number(bytes)} bytes, about ${number(tokens)} tokens`, ...files.map((file) => `    ${fileLine(file)}`)]), `  tools: ${tools.length}, about ${number(all)} tokens`,
    ...[...servers.values()].sort((a, b) => b.tokens - a.tokens).map(({ name, count, tokens }) => `    of the MCP server ${name}: ${count}, about ${number(tokens)} tokens`),
  ]
}
