// Heads: system text and tools as they are sent, written at the start of an epoch, at a compaction, and when a search adds tools.
import type { HostControl, Reader } from '@mynah/kernel'
import type { Tool } from '@mynah/plugin-ai/api'
import type { AgentPreset, PromptContext, PromptSection } from '../api.js'
import { tokensOf } from '../compaction/plan.js'
import { joined, renderSections, type Rendered } from '../prompt/sections.js'
import type { Entry, NewEntry } from '../session/types.js'
import { definitionOf, selectTools } from '../tools/selection.js'
import type { Settled } from '../harness.js'

/** Place of the tools that are named only. */
const DEFERRED = 500

export interface HeadDeps {
  readonly own: readonly PromptSection[]
  readonly sections: Reader<PromptSection>
  readonly host: Pick<HostControl, 'report'>
}

export interface HeadOptions {
  readonly tools: readonly Tool[]
  readonly harness: Settled
  readonly toolSearch: boolean
  readonly preset: AgentPreset | undefined
  /** In place of everything but the tools. */
  readonly system?: string | undefined
  /** Names of the only tools there are. */
  readonly only?: readonly string[] | undefined
}

/** A new head for what was said. */
export async function makeHead(
  { own, sections, host }: HeadDeps,
  context: PromptContext,
  { tools, harness, toolSearch, preset, system, only }: HeadOptions,
): Promise<NewEntry & { readonly kind: 'head' }> {
  const names = only ?? preset?.tools
  const { chosen, deferred } = selectTools(tools, context.text, harness.maxTools, {
    orchestrationOnly: toolSearch,
    ...(names ? { only: names } : {}),
    exactly: only !== undefined,
  })
  const parts = system === undefined ? await renderSections(own, sections, 'system', context, host) : []
  const deferredText: Rendered[] = deferred.length
    ? [
        {
          title: 'Deferred Tools',
          order: DEFERRED,
          files: [],
          text: `These can be found by tool_search or used by run_deferred_task: ${deferred.map(({ name }) => name).join(', ')}`,
        },
      ]
    : []
  const all =
    system === undefined
      ? [
          ...parts.filter(({ order }) => order < DEFERRED),
          ...deferredText,
          ...parts.filter(({ order }) => order >= DEFERRED),
        ]
      : []
  const persona = preset ? `${preset.prompt.trim()}\n\n` : ''
  const made = all.map(({ title, text, files }) => ({
    title,
    bytes: Buffer.byteLength(text),
    tokens: tokensOf(text),
    ...(files.length ? { files } : {}),
  }))
  return {
    kind: 'head',
    content: { system: system ?? `${persona}${joined(all)}`, tools: chosen.map(definitionOf), sections: made },
  }
}

/** The head that holds on a path. */
export const headOf = (path: readonly Entry[]): (Entry & { readonly kind: 'head' }) | undefined =>
  path.findLast((entry): entry is Entry & { readonly kind: 'head' } => entry.kind === 'head')
