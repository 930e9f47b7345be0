import { toolCallsOf, textOf, type ModelMessage } from '@mynah/plugin-ai/api'
import type { Entry, MessageEntry, NewEntry, ResultPart } from '../session/types.js'

/** Characters of a tool result, and of the input of a call, in a transcript. */
const MAX_RESULT = 2_000
const MAX_INPUT = 500

const isMessage = (entry: Entry): entry is MessageEntry => entry.kind === 'message'

export interface Plan {
  readonly previousSummary: string | undefined
  /** Entries that the summary replaces. */
  readonly summarised: readonly MessageEntry[]
  /** Numbers of the entries that stay. */
  readonly kept: readonly number[]
}

/** Estimates the tokens of an entry, to decide where to cut. */
export const estimateEntryTokens = (entry: NewEntry): number =>
  estimateTokens(entry.kind === 'prompt' ? [entry.content.system, entry.content.tools] : entry.content) + 4

/** Estimates the tokens of a value that is sent as JSON. Characters of East Asian scripts count as one each. */
export function estimateTokens(content: unknown): number {
  const json = JSON.stringify(content)
  let wide = 0
  for (let at = 0; at < json.length; at++) if (json.charCodeAt(at) > 0x2e7f) wide++
  return wide + Math.ceil((json.length - wide) / 4)
}

/** Returns what to summarise and what to keep, or `undefined` when nothing would be gained. */
export function planCompaction(
  path: readonly Entry[],
  keep: { readonly tokens?: number; readonly count?: number; readonly least: number },
): Plan | undefined {
  const messages = path.filter(isMessage)
  const summary = path.find((entry) => entry.kind === 'summary')
  let from = messages.length
  let tokens = 0
  while (from > 0) {
    const next = messages[from - 1] as MessageEntry
    tokens += estimateEntryTokens(next)
    const count = messages.length - from + 1
    const within =
      (keep.tokens === undefined || tokens <= keep.tokens) && (keep.count === undefined || count <= keep.count)
    if (!within && count > keep.least) break
    from--
  }
  // Providers refuse results without their call.
  while (from < messages.length && messages[from]?.role === 'tool') from++
  const summarised = messages.slice(0, from)
  if (summarised.length < 2) return undefined
  return {
    previousSummary: summary?.kind === 'summary' ? summary.content.text : undefined,
    summarised,
    kept: messages.slice(from).map(({ seq: n }) => n),
  }
}

/** Returns entries as labelled text, which a model does not take for its own conversation. */
export function renderTranscript(entries: readonly Entry[], maxChars: number): string {
  return entries.flatMap((entry) => (isMessage(entry) ? messageLines(entry, maxChars) : [])).join('\n')
}

function messageLines(entry: MessageEntry, maxChars: number): string[] {
  if (entry.role === 'tool')
    return entry.content.map(
      ({ name, output }) => `RESULT of ${name}: ${outputText(output).slice(0, Math.min(maxChars, MAX_RESULT))}`,
    )
  const message = { role: entry.role, content: entry.content } as unknown as ModelMessage
  const text = entry.role === 'user' ? (entry.meta.said ?? textOf(message)) : textOf(message)
  const speaker = entry.role === 'user' ? `USER ${entry.meta.sender?.name ?? ''}`.trim() : 'ASSISTANT'
  const calls = toolCallsOf(message).map(
    ({ name, input }) => `CALL of ${name}: ${JSON.stringify(input)?.slice(0, Math.min(maxChars, MAX_INPUT)) ?? ''}`,
  )
  return [...(text ? [`${speaker}: ${text.slice(0, maxChars)}`] : []), ...calls]
}

const outputText = (output: ResultPart['output']): string =>
  typeof output === 'string'
    ? output
    : output.map((part) => (part.type === 'text' ? part.text : `(${part.mediaType})`)).join(' ')
