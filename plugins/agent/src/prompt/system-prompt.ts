import type { Tool } from '@mynah/plugin-ai/api'
import type { AgentPreset, PromptContext } from '../api.js'
import { estimateTokens } from '../compaction/plan.js'
import type { ModelHarness } from '../harness.js'
import type { AgentRuntime } from '../runtime.js'
import type { Entry, PromptEntry } from '../session/types.js'
import { definitionOf, selectTools } from '../tools/selection.js'
import { userKey } from '../tools/tool-use.js'
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
  /** The prompt that it replaces, whose tools stay. */
  readonly before?: PromptEntry | undefined
}

/** Builds the prompt entry: system text and tools, exactly as they are sent from then on. */
export async function buildSystemPrompt(
  runtime: Pick<AgentRuntime, 'access' | 'builtInSections' | 'sections' | 'host' | 'toolUse'>,
  context: PromptContext,
  { tools, harness, toolSearch, preset, system, only, before }: SystemPromptOptions,
): Promise<PromptEntry> {
  const names = only ?? preset?.tools
  await runtime.toolUse.ready
  const { chosen, deferred } = selectTools(runtime.access.callable(tools, context), context.text, harness.maxTools, {
    orchestrationOnly: toolSearch,
    ...(names ? { only: names } : {}),
    exactly: only !== undefined,
    lately: runtime.toolUse.lately(userKey(context.origin)),
    kept: before?.content.tools.map(({ name }) => name) ?? [],
  })
  const definitions = chosen.map(definitionOf)
  const fixed = {
    tools: definitions,
    chosen: definitions.length,
    known: tools.map(({ name }) => name).sort(),
    audience: audienceOf(context.roles),
  }
  if (system !== undefined) return { kind: 'prompt', content: { system, ...fixed, sections: [] } }
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
  return { kind: 'prompt', content: { system: `${persona}${joinSections(parts)}`, ...fixed, sections } }
}

function deferredSection(deferred: readonly Tool[]): Rendered[] {
  if (deferred.length === 0) return []
  const names = deferred.map(({ name }) => name).join(', ')
  const text = `tool_search makes these callable at once: ${names}`
  return [{ title: 'Deferred Tools', order: DEFERRED_ORDER, files: [], text }]
}

/**
 * Returns for whom a prompt is. It has only what these senders may use, so in a group each kind of sender has a prompt,
 * which stays as it is when others speak.
 */
export const audienceOf = (roles: ReadonlySet<string>): string => [...roles].sort().join('+')

/**
 * Returns whether a tool was added since a prompt was built, such as one of a plugin that was enabled. Tools that are
 * gone do not count: those of a server that comes and goes would change the beginning of each request.
 */
export const lacksTool = ({ content: { known } }: PromptEntry, callable: readonly Tool[]): boolean =>
  known !== undefined && callable.some(({ name }) => !known.includes(name))

/** Returns the newest prompt of a path for an audience, which is the one that is sent; without one the newest. */
export const currentPrompt = (
  path: readonly Entry[],
  audience?: string,
): (Entry & { readonly kind: 'prompt' }) | undefined =>
  path.findLast(
    (entry): entry is Entry & { readonly kind: 'prompt' } =>
      entry.kind === 'prompt' && (audience === undefined || entry.content.audience === audience),
  )
