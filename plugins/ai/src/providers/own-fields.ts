// Fields of an answer that are the server's own, such as signatures of thoughts and items of reasoning. A server that
// calls itself compatible wants them back as they came, and the package of the family knows hardly any of them.
import type { MetadataExtractor } from '@ai-sdk/openai-compatible'
import { isRecord } from '@mynah/contract'
import type { AssistantMessage, ProviderMetadata } from '../api/messages.js'
import type { Fields } from './alternating.js'

/** Where the package takes further fields of a message or a call from. */
export const SENT_BACK = 'openaiCompatible'
/** Where an answer has those that it came with, at its end. */
const COLLECTED = 'ownFields'
/** The most bytes of metadata that one message keeps. */
const MAX_BYTES = 1024 * 1024

const CALL_FIELDS = new Set(['index', 'id', 'type', 'function'])
const FUNCTION_FIELDS = new Set(['name', 'arguments'])
/** Such fields of a message. Others, such as counts and ids of the server, would be refused. */
const MESSAGE_FIELDS = new Set(['extra_content', 'provider_specific_fields', 'thinking_blocks', 'encrypted_content'])
const isOfMessage = (name: string): boolean =>
  MESSAGE_FIELDS.has(name) || /^reasoning_(?!content$|text$)\w{1,40}$|signature|opaque/.test(name)
/** Fields of a list's items that come in pieces. */
const IN_PIECES = ['text', 'summary', 'thinking']

/** The fields of an answer: those of its message, and those of each call in their order. */
export interface OwnFields {
  readonly message: Fields
  readonly calls: readonly Fields[]
}

/** Returns the fields that the metadata of a whole answer have. */
export function ownFieldsIn(metadata: Readonly<Record<string, unknown>> | undefined): OwnFields | undefined {
  return metadata?.[COLLECTED] as OwnFields | undefined
}

/** Collects the fields of an answer, for the package of the family. */
export const ownFields: MetadataExtractor = {
  async extractMetadata({ parsedBody }) {
    const collector = new Collector()
    collector.take(parsedBody)
    return collector.metadata
  },
  createStreamExtractor() {
    const collector = new Collector()
    return {
      processChunk: (chunk) => collector.take(chunk),
      buildMetadata: () => collector.metadata,
    }
  },
}

type Metadata = ReturnType<ReturnType<MetadataExtractor['createStreamExtractor']>['buildMetadata']>

class Collector {
  readonly #message: Fields = {}
  /** By their index in the answer. */
  readonly #calls = new Map<number, Fields>()
  #isEmpty = true

  /** Takes a chunk, or a whole answer. */
  take(chunk: unknown): void {
    const choices = isRecord(chunk) ? chunk['choices'] : undefined
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
    if (!isRecord(choice)) return
    const said = isRecord(choice['delta']) ? choice['delta'] : choice['message']
    if (!isRecord(said)) return
    for (const [name, value] of Object.entries(said)) if (isOfMessage(name)) this.#add(this.#message, name, value)
    const { tool_calls: calls } = said
    if (Array.isArray(calls))
      for (const [position, call] of calls.entries()) if (isRecord(call)) this.#take(call, position)
  }

  #take(call: Fields, position: number): void {
    const index = typeof call['index'] === 'number' ? call['index'] : position
    let fields = this.#calls.get(index)
    if (!fields) this.#calls.set(index, (fields = {}))
    for (const [name, value] of Object.entries(call)) if (!CALL_FIELDS.has(name)) this.#add(fields, name, value)
    const { function: given } = call
    if (!isRecord(given)) return
    for (const [name, value] of Object.entries(given)) {
      if (FUNCTION_FIELDS.has(name) || isNothing(value)) continue
      if (!isRecord(fields['function'])) fields['function'] = {}
      this.#add(fields['function'] as Fields, name, value)
    }
  }

  #add(fields: Fields, name: string, value: unknown): void {
    if (isNothing(value)) return
    this.#isEmpty = false
    const before = fields[name]
    if (Array.isArray(value)) fields[name] = joined(Array.isArray(before) ? before : [], value)
    else if (typeof value === 'string' && typeof before === 'string' && value !== before) fields[name] = before + value
    else fields[name] = value
  }

  get metadata(): Metadata {
    return this.#isEmpty
      ? undefined
      : ({ [COLLECTED]: { message: this.#message, calls: [...this.#calls.values()] } } as unknown as Metadata)
  }
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Returns a list with the items of a further piece: some of them go on with an item before. */
function joined(list: readonly unknown[], more: readonly unknown[]): unknown[] {
  const all = [...list]
  for (const [position, item] of more.entries()) {
    const at = isRecord(item) ? all.findLastIndex((known, index) => index < list.length && goesOn(known, item)) : -1
    const isNext = isRecord(item) && (item['index'] !== undefined || (position === 0 && at === list.length - 1))
    if (at !== -1 && isNext) all[at] = joinedItem(all[at] as Fields, item)
    else all.push(item)
  }
  return all
}

/** Returns whether an item is a further piece of a known one. An encrypted item is always whole. */
function goesOn(known: unknown, item: Fields): boolean {
  return (
    isRecord(known) &&
    known['type'] === item['type'] &&
    known['index'] === item['index'] &&
    (isNothing(known['id']) || isNothing(item['id']) || known['id'] === item['id']) &&
    isNothing(known['data']) &&
    isNothing(item['data'])
  )
}

function joinedItem(known: Fields, item: Fields): Fields {
  const all = { ...known }
  for (const [name, value] of Object.entries(item)) {
    const before = all[name]
    if (isNothing(value)) continue
    all[name] = IN_PIECES.includes(name) && typeof before === 'string' ? `${before}${String(value)}` : value
  }
  return all
}

type Content = Exclude<AssistantMessage['content'], string>

/** Returns a content whose metadata are within the limit of a message, and how many bytes were left out. */
export function limitMetadata(content: Content): { readonly content: Content; readonly leftOut: number } {
  let size = 0
  let leftOut = 0
  const kept = content.flatMap((part): Content => {
    const { providerMetadata: metadata, ...plain } = part as { readonly providerMetadata?: ProviderMetadata }
    if (metadata === undefined) return [part]
    const bytes = Buffer.byteLength(JSON.stringify(metadata))
    if (size + bytes <= MAX_BYTES) {
      size += bytes
      return [part]
    }
    leftOut += bytes
    // Hidden reasoning has nothing else.
    return part.type === 'reasoning' && part.text === '' ? [] : [plain as unknown as Content[number]]
  })
  return leftOut === 0 ? { content, leftOut } : { content: kept, leftOut }
}
