// What the head of a prompt costs: each section, the tools, and those of each MCP server.
import type { ToolDefinition } from '@mynah/plugin-ai/api'
import { tokensOf } from './compaction/plan.js'

interface Cost { readonly name: string; readonly count: number; readonly tokens: number }

/** Lines of `/context`; `sourceOf` names the server of a tool. */
export function headLines({ system, tools }: { readonly system: string; readonly tools: readonly ToolDefinition[] }, sourceOf: (tool: string) => string | undefined): string[] {
  const number = (value: number): string => value.toLocaleString('en-US')
  const sections = system.split(/^## /m).slice(1).map((part) => `  ${part.split('\n', 1)[0]}: ${number(Buffer.byteLength(part))} bytes, about ${number(tokensOf(part))} tokens`)
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
    ...sections, `  tools: ${tools.length}, about ${number(all)} tokens`,
    ...[...servers.values()].sort((a, b) => b.tokens - a.tokens).map(({ name, count, tokens }) => `    of the MCP server ${name}: ${count}, about ${number(tokens)} tokens`),
  ]
}
