import type { Tool } from '@mynah/plugin-ai/api'
import type { AgentPreset, PromptContext } from '../api.js'
import { estimateTokens } from '../compaction/plan.js'
import type { ModelHarness } from '../harness.js'
import type { AgentRuntime } from '../runtime.js'
import type { Entry, PromptEntry } from '../session/types.js'
import { definitionOf, selectTools } from '../tools/selection.js'
import { joinSections, renderSections, type Rendered } from './sections.js'

/** Order of the section that names the deferred tools. */
const DEFERRED_ORDER = 500

export interface SystemPromptOptions {
  readonly tools: readonly Tool[]
  readonly harness: ModelHarness
  readonly toolSearch: boolean
  readonly preset: AgentPreset | undefined
  /** Replaces everything but the tools. */
  readonly system?: string | undefined
  /** Names of the only tools to use. */
  readonly only?: readonly string[] | undefined
}

/** Builds the prompt entry: system text and tools, exactly as they are sent from then on. */
export async function buildSystemPrompt(
  runtime: Pick<AgentRuntime, 'builtInSections' | 'sections' | 'host'>,
  context: PromptContext,
  { tools, harness, toolSearch, preset, system, only }: SystemPromptOptions,
): Promise<PromptEntry> {
  const names = only ?? preset?.tools
  const { chosen, deferred } = selectTools(tools, context.text, harness.maxTools, {
    orchestrationOnly: toolSearch,
    ...(names ? { only: names } : {}),
    exactly: only !== undefined,
  })
  const definitions = chosen.map(definitionOf)
  if (system !== undefined) return { kind: 'prompt', content: { system, tools: definitions, sections: [] } }
  const rendered = await renderSections(runtime.builtInSections, runtime.sections, 'system', context, runtime.host)
  const parts = [
    ...rendered.filter(({ order }) => order < DEFERRED_ORDER),
    ...deferredSection(deferred),
    ...rendered.filter(({ order }) => order >= DEFERRED_ORDER),
  ]
  const persona = preset ? `${preset.prompt.trim()}\n\n` : ''
  const sections = parts.map(({ title, text, files }) => ({
    title,
    bytes: Buffer.byteLength(text),
    tokens: estimateTokens(text),
    ...(files.length ? { files } : {}),
  }))
  return { kind: 'prompt', content: { system: `${persona}${joinSections(parts)}`, tools: definitions, sections } }
}

function deferredSection(deferred: readonly Tool[]): Rendered[] {
  if (deferred.length === 0) return []
  const names = deferred.map(({ name }) => name).join(', ')
  const text = `These can be found by tool_search or used by run_deferred_task: ${names}`
  return [{ title: 'Deferred Tools', order: DEFERRED_ORDER, files: [], text }]
}

/** Returns the newest prompt of a path, which is the one that is sent. */
export const currentPrompt = (path: readonly Entry[]): (Entry & { readonly kind: 'prompt' }) | undefined =>
  path.findLast((entry): entry is Entry & { readonly kind: 'prompt' } => entry.kind === 'prompt')
