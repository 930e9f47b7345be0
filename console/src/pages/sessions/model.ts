import type { SessionTree } from '@mynah/contract/types'
import type { ContentPart, Entry, Usage } from './wire.js'

export interface ToolUse {
  readonly id: string
  readonly name: string
  readonly input: string
  readonly output?: string
  readonly failed: boolean
  readonly ms?: number
}

export interface TurnBlock {
  readonly key: string
  readonly id: Entry['id']
  readonly role: string
  readonly sender: string | undefined
  readonly at: number
  readonly asked: string
  readonly tools: readonly ToolUse[]
  readonly answer: string
  readonly model: string | undefined
  readonly steps: number
  readonly usage: Usage | undefined
  readonly endedAt: number
}

const textOf = (content: Entry['content']): string =>
  typeof content === 'string'
    ? content
    : content
        .map((part) => {
          if (part.type === 'text') return part.text ?? ''
          return part.type === 'image' || part.type === 'file' ? `[${part.name ?? part.mediaType ?? part.type}]` : ''
        })
        .join('')
const partsOf = (content: Entry['content']): readonly ContentPart[] => (typeof content === 'string' ? [] : content)
const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return a ?? b
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    output: a.output + b.output,
    ...(a.cost === undefined && b.cost === undefined ? {} : { cost: (a.cost ?? 0) + (b.cost ?? 0) }),
  }
}

type OpenBlock = { -readonly [K in keyof TurnBlock]: K extends 'tools' ? ToolUse[] : TurnBlock[K] }

const isSummary = ({ kind }: Entry): boolean => kind === 'summary' || kind === 'branch_summary'

const startBlock = (entry: Entry): OpenBlock => ({
  key: String(entry.id),
  id: entry.id,
  role: isSummary(entry) ? 'summary' : (entry.role ?? entry.kind),
  sender: entry.sender?.name ?? entry.sender?.id,
  at: entry.timestamp,
  asked: '',
  tools: [],
  answer: '',
  model: undefined,
  steps: 0,
  usage: undefined,
  endedAt: entry.timestamp,
})

/** Adds a call of a tool, or the result of one. `began` has the times of the calls. */
function addToolPart(tools: ToolUse[], part: ContentPart, time: number, began: Map<string, number>): void {
  const { id } = part
  if (id === undefined) return
  if (part.type === 'tool-call') {
    began.set(id, time)
    tools.push({ id, name: part.name ?? '', input: shown(part.input), failed: false })
    return
  }
  const index = tools.findIndex((tool) => tool.id === id)
  const call = tools[index]
  if (part.type !== 'tool-result' || !call) return
  tools[index] = {
    ...call,
    output: part.output ?? '',
    failed: part.isError === true,
    ms: time - (began.get(id) ?? time),
  }
}

/** Groups entries in any order into blocks: a message of a person and everything that followed it. */
export function turnBlocks(entries: readonly Entry[]): TurnBlock[] {
  const ordered = [...entries].sort((a, b) => a.timestamp - b.timestamp || a.id - b.id)
  const blocks: OpenBlock[] = []
  const began = new Map<string, number>()
  for (const entry of ordered) {
    const { role, timestamp } = entry
    const summary = isSummary(entry)
    // Entries without a role are no part of the conversation: system prompts, and results that are no longer sent.
    if (role === undefined && !summary) continue
    const parts = partsOf(entry.content)
    const hasResult = parts.some((part) => part.type === 'tool-result')
    let block = blocks.at(-1)
    if (!block || (role === 'user' && !hasResult) || summary) {
      block = startBlock(entry)
      blocks.push(block)
    }
    const text = textOf(entry.content)
    if (role === 'user' || summary) block.asked = [block.asked, text].filter(Boolean).join('\n')
    else if (role === 'assistant' && text) block.answer = [block.answer, text].filter(Boolean).join('\n\n')
    if (role === 'assistant') block.steps++
    for (const part of parts) addToolPart(block.tools, part, timestamp, began)
    block.model = entry.model ?? block.model
    block.usage = addUsage(block.usage, entry.usage)
    block.endedAt = timestamp
  }
  return blocks
}

/** Returns the point that the conversation continues from: the chosen one, else the last. */
export function activePoint(tree: SessionTree): SessionTree['points'][number] | undefined {
  return tree.activeLeafMessageId === null
    ? tree.points.at(-1)
    : (tree.points.find((point) => point.messageId === tree.activeLeafMessageId) ?? tree.points.at(-1))
}

const KEPT = 12

/** Parses the stored recent keys. Invalid ones are dropped. */
export function parseKeys(text: string | null): string[] {
  if (!text) return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value)
      ? value.filter((item): item is string => typeof item === 'string' && item.length <= 1024).slice(0, KEPT)
      : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

export const rememberKey = (keys: readonly string[], key: string): string[] =>
  [key, ...keys.filter((item) => item !== key)].slice(0, KEPT)

/** Returns channel and endpoint of a session key, or the key itself if it has another form. */
export function parseSessionKey(key: string): { readonly place: string; readonly endpoint: string } {
  const parts = key.split('|')
  const decode = (part: string): string => {
    try {
      return decodeURIComponent(part)
    } catch (error) {
      if (error instanceof URIError) return part
      throw error
    }
  }
  const [, endpoint, , channel, agent] = parts
  const place = channel === undefined ? '' : `${decode(channel)}${agent === undefined ? '' : ` (${decode(agent)})`}`
  return (parts.length === 4 || parts.length === 5) && endpoint !== undefined
    ? { place, endpoint: decode(endpoint) }
    : { place: decode(parts.at(-1) ?? key), endpoint: '' }
}

/** Returns whether a text is the key of one session, `adapter|endpoint|type|channel`, and not a part of some. */
export const isSessionKey = (text: string): boolean => /^[^|\s]+\|[^|]+\|[^|]+\|.+$/.test(text.trim())
