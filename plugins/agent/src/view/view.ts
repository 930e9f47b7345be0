import type {
  ModelMessage,
  TextPart,
  ToolCallPart,
  ToolDefinition,
  ToolResultPart,
  UserMessage,
} from '@mynah/plugin-ai/api'
import { toolCallsOf } from '@mynah/plugin-ai/api'
import type { Entry, NewEntry, ResultPart, Shortened, StoredMedium, UserPart } from '../session/types.js'
import { headAndTail } from './head-and-tail.js'

export interface View {
  readonly system: string
  readonly tools: readonly ToolDefinition[]
  readonly messages: readonly ModelMessage[]
}

type Viewed = Pick<Entry, 'seq'> & NewEntry
const TRIMMED = '[the result of this tool was removed to save space; call the tool again if it is needed]'
const UNANSWERED: UserPart = { type: 'text', text: '[a message that the model refused is left out]' }
const NO_RESULT = 'Not run: the turn ended before this call.'

/** Everything that the trims of a path have removed. */
interface Trims {
  readonly results: ReadonlySet<string>
  readonly mediaBefore: number
  readonly from: number
  readonly unanswered: ReadonlySet<number>
  readonly shortened: readonly Shortened[]
}

function collectTrims(entries: readonly Viewed[]): Trims {
  const results = new Set<string>()
  let mediaBefore = 0
  let from = 0
  const unanswered = new Set<number>()
  const shortened: Shortened[] = []
  for (const entry of entries) {
    if (entry.kind !== 'cut') continue
    for (const id of entry.content.results ?? []) results.add(id)
    mediaBefore = Math.max(mediaBefore, entry.content.mediaBefore ?? 0)
    from = Math.max(from, entry.content.from ?? 0)
    for (const seq of entry.content.unanswered ?? []) unanswered.add(seq)
    if (entry.content.shortened) shortened.push(...entry.content.shortened)
  }
  return { results, mediaBefore, from, unanswered, shortened }
}

/** Returns a text of an entry as far as the trims of the path leave it. */
function fitting(text: string, seq: number, { shortened }: Trims): string {
  const all = shortened.filter(({ before }) => seq < before)
  if (all.length === 0) return text
  const bytes = Math.min(...all.map((one) => one.bytes))
  if (Buffer.byteLength(text) <= bytes) return text
  const path = all.findLast(({ file }) => file?.seq === seq)?.file?.path
  return headAndTail(text, path === undefined ? '' : `; all of it: read_file ${path}`, bytes)
}

const mediaPlaceholder = ({ mediaType, hash, filename, text }: StoredMedium): TextPart => ({
  type: 'text',
  // The text of a document stays: people ask about it for long.
  text: text ?? `[${mediaType.split('/')[0]} ${filename ?? hash.slice(0, 12)}, no longer shown]`,
})

/**
 * Builds the messages of a request from the entries of a path. The same path gives the same bytes. Media stay as
 * `{ type: 'media', hash }`; `MediaFolder.withBytes` loads them.
 *
 * @param audience takes the newest prompt for these senders; default the newest of all
 */
export function buildView(entries: readonly Viewed[], audience?: string): View {
  const trims = collectTrims(entries)
  let system = ''
  let tools: readonly ToolDefinition[] = []
  const messages: ModelMessage[] = []
  const user = (parts: readonly UserPart[]): void => {
    const last = messages.at(-1)
    // Two in a row happen after a switch of the leaf. Some providers refuse that, so they become one.
    if (last?.role === 'user')
      messages[messages.length - 1] = {
        role: 'user',
        content: [...(last.content as UserPart[]), ...parts],
      } as unknown as UserMessage
    else messages.push({ role: 'user', content: parts } as unknown as UserMessage)
  }
  for (const entry of entries) {
    if (entry.kind === 'prompt') {
      if (audience !== undefined && entry.content.audience !== audience) continue
      system = entry.content.system
      tools = entry.content.tools
    } else if (entry.kind === 'summary')
      user([{ type: 'text', text: `[Summary of the conversation so far]\n${entry.content.text}` }])
    else if (entry.kind === 'branch_summary')
      user([{ type: 'text', text: `[Summary of another branch of this conversation]\n${entry.content.text}` }])
    else if (entry.kind === 'message' && entry.seq >= trims.from) {
      if (trims.unanswered.has(entry.seq)) {
        if (entry.role === 'user') user([UNANSWERED])
      } else if (entry.role === 'user')
        user(
          entry.content.map((part) => {
            if (part.type === 'text') return { ...part, text: fitting(part.text, entry.seq, trims) }
            return entry.seq < trims.mediaBefore ? mediaPlaceholder(part) : part
          }),
        )
      else if (entry.role === 'assistant')
        messages.push({
          role: 'assistant',
          content: entry.content as never,
          ...(entry.meta?.model === undefined ? {} : { model: entry.meta.model }),
        })
      else
        messages.push({
          role: 'tool',
          content: entry.content.map((part) => visibleResult(part, entry.seq, trims)) as ToolResultPart[],
        })
    }
  }
  return { system, tools, messages: pairCalls(messages) }
}

function visibleResult(part: ResultPart, n: number, trims: Trims): ResultPart {
  if (trims.results.has(part.id)) return { ...part, output: TRIMMED }
  if (typeof part.output === 'string') return { ...part, output: fitting(part.output, n, trims) }
  const output = part.output.map((inner) => {
    if (inner.type === 'text') return { ...inner, text: fitting(inner.text, n, trims) }
    return n < trims.mediaBefore ? mediaPlaceholder(inner) : inner
  })
  return { ...part, output }
}

/**
 * Puts the results of calls right after them, in the order of the calls, and drops results without a call. Calls
 * without a result get one, except at the very end: the turn that continues there settles them.
 */
function pairCalls(messages: readonly ModelMessage[]): ModelMessage[] {
  const result: ModelMessage[] = []
  let calls: readonly ToolCallPart[] = []
  let results = new Map<string, ToolResultPart>()
  const settle = (isEnd: boolean): void => {
    const content = calls.flatMap(({ id, name }): ToolResultPart[] => {
      const known = results.get(id)
      if (known) return [known]
      return isEnd ? [] : [{ type: 'tool-result', id, name, output: NO_RESULT, isError: true }]
    })
    if (content.length) result.push({ role: 'tool', content })
    calls = []
    results = new Map()
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      for (const part of message.content) results.set(part.id, part)
      continue
    }
    settle(false)
    result.push(message)
    calls = toolCallsOf(message)
  }
  settle(true)
  return result
}
