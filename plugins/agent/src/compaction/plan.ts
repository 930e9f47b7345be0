// What a compaction keeps, and what of it a model reads to make the summary: pure.
import { toolCallsOf, textOf, type ModelMessage } from '@mynah/plugin-ai/api'
import type { Entry, NewEntry } from '../session/types.js'

type Message = Entry & { readonly kind: 'message' }
const isMessage = (entry: Entry): entry is Message => entry.kind === 'message'

export interface Plan {
  readonly previousSummary: string | undefined
  /** Entries that the summary stands for. */
  readonly summarised: readonly Message[]
  /** Numbers of those that stay. */
  readonly kept: readonly number[]
}

/** Tokens of an entry, roughly: for deciding where to cut, not for what is sent. */
export const estimateEntryTokens = (entry: NewEntry): number =>
  estimateTokens(entry.kind === 'prompt' ? [entry.content.system, entry.content.tools] : entry.content) + 4

/** The same of anything that is sent as JSON. */
export function estimateTokens(content: unknown): number {
  const json = JSON.stringify(content)
  let wide = 0
  for (let at = 0; at < json.length; at++) if (json.charCodeAt(at) > 0x2e7f) wide++
  return wide + Math.ceil((json.length - wide) / 4)
}

/** Where a path is cut; `undefined` where nothing would be gained. A kept part never begins with a result. */
export function planCompaction(
  path: readonly Entry[],
  keep: { readonly tokens?: number; readonly count?: number; readonly least: number },
): Plan | undefined {
  const messages = path.filter(isMessage)
  const summary = path.find((entry) => entry.kind === 'summary')
  let from = messages.length
  let tokens = 0
  while (from > 0) {
    const next = messages[from - 1] as Message
    tokens += estimateEntryTokens(next)
    const count = messages.length - from + 1
    const within =
      (keep.tokens === undefined || tokens <= keep.tokens) && (keep.count === undefined || count <= keep.count)
    if (!within && count > keep.least) break
    from--
  }
  while (from < messages.length && messages[from]?.role === 'tool') from++
  const summarised = messages.slice(0, from)
  if (summarised.length < 2) return undefined
  return {
    previousSummary: summary?.kind === 'summary' ? summary.content.text : undefined,
    summarised,
    kept: messages.slice(from).map(({ seq: n }) => n),
  }
}

/** Entries as labelled text: a model that reads it does not take it for its own conversation. */
export function renderTranscript(entries: readonly Entry[], clip: number): string {
  const lines: string[] = []
  for (const entry of entries) {
    if (!isMessage(entry)) continue
    if (entry.role === 'tool') {
      for (const { name, output } of entry.content)
        lines.push(
          `RESULT of ${name}: ${(typeof output === 'string' ? output : output.map((part) => (part.type === 'text' ? part.text : `(${part.mediaType})`)).join(' ')).slice(0, Math.min(clip, 2_000))}`,
        )
      continue
    }
    const message = { role: entry.role, content: entry.content } as unknown as ModelMessage
    const text = entry.role === 'user' ? (entry.meta.said ?? textOf(message)) : textOf(message)
    if (text)
      lines.push(
        `${entry.role === 'user' ? `USER ${entry.meta.sender?.name ?? ''}`.trim() : 'ASSISTANT'}: ${text.slice(0, clip)}`,
      )
    for (const { name, input } of toolCallsOf(message))
      lines.push(`CALL of ${name}: ${JSON.stringify(input)?.slice(0, Math.min(clip, 500)) ?? ''}`)
  }
  return lines.join('\n')
}
