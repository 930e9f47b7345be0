import type { ToolDefinition } from '@mynah/plugin-ai/api'
import type { CommandTexts } from './texts.js'
import { estimateTokens } from '../compaction/plan.js'
import type { PromptPart } from '../session/types.js'

interface Cost {
  readonly name: string
  readonly count: number
  readonly tokens: number
}

/**
 * Returns the lines of `/context` about a prompt: its sections with their files, the tools, and those of each MCP server.
 *
 * @param sourceOf returns the MCP server of a tool
 */
export function promptCostLines(
  { sections = [], tools }: { readonly sections?: readonly PromptPart[]; readonly tools: readonly ToolDefinition[] },
  sourceOf: (tool: string) => string | undefined,
  texts: CommandTexts,
): string[] {
  const servers = new Map<string, Cost>()
  let all = 0
  for (const tool of tools) {
    const tokens = estimateTokens(tool)
    all += tokens
    const name = sourceOf(tool.name)
    if (name === undefined) continue
    const { count = 0, tokens: before = 0 } = servers.get(name) ?? {}
    servers.set(name, { name, count: count + 1, tokens: before + tokens })
  }
  return [
    ...sections.flatMap(({ title, bytes, tokens, files = [] }) => [
      `  ${texts.section(title, bytes, tokens)}`,
      ...files.map((file) => `    ${texts.file(file)}`),
    ]),
    `  ${texts.tools(tools.length, all)}`,
    ...[...servers.values()]
      .sort((a, b) => b.tokens - a.tokens)
      .map(({ name, count, tokens }) => `    ${texts.server(name, count, tokens)}`),
  ]
}
