// Puts an answer together from the parts of its stream, in their order and within a bound.
import { randomUUID } from 'node:crypto'
import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import { ModelError } from '../api/errors.js'
import type {
  AssistantMessage,
  FilePart,
  ProviderMetadata,
  ReasoningPart,
  TextPart,
  ToolCallPart,
} from '../api/messages.js'
import type { ModelPart } from '../api/models.js'
import { parseArguments } from '../loop/arguments.js'
import { limitMetadata, ownFieldsIn, SENT_BACK, type OwnFields } from '../providers/own-fields.js'
import { clean } from '../text.js'
import { ThinkReader } from './think-reader.js'

/** The most characters of an answer, all parts together. */
const MAX_CHARS = 4 * 1024 * 1024
/** The most calls of an answer. */
const MAX_CALLS = 256

interface Growing {
  type: 'text' | 'reasoning'
  readonly deltas: string[]
  metadata?: SharedV3ProviderMetadata
}
interface Writing {
  readonly id: string
  readonly name: string
  text: string
  done: boolean
}
type Piece = Growing | ToolCallPart | FilePart | Writing

type PartOf<T extends LanguageModelV3StreamPart['type']> = Extract<LanguageModelV3StreamPart, { readonly type: T }>

export class AnswerBuilder {
  readonly #taken: (id: string) => boolean
  readonly #pieces: Piece[] = []
  readonly #growing = new Map<string, Growing>()
  readonly #writing = new Map<string, Writing>()
  readonly #ids = new Set<string>()
  #calls = 0
  #chars = 0
  /** The first half of a surrogate pair whose second half is in the next delta. */
  #half = ''
  /** Finds the reasoning in the text of each part. */
  readonly #thoughts = new Map<string, ThinkReader>()
  hasText = false
  hasCalls = false
  /** Bytes of metadata that the message is too small for. */
  leftOut = 0

  constructor(taken: (id: string) => boolean) {
    this.#taken = taken
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  get chars(): number {
    return this.#chars
  }

  /** Takes a part of the stream. Returns the part to pass on, if there is one. */
  take(part: LanguageModelV3StreamPart): ModelPart | undefined {
    switch (part.type) {
      case 'text-end':
        this.#note('text', part.id, part.providerMetadata)
        return this.#endText(part.id)
      case 'text-start':
      case 'reasoning-start':
      case 'reasoning-end':
        this.#note(part.type === 'text-start' ? 'text' : 'reasoning', part.id, part.providerMetadata)
        return undefined
      case 'text-delta':
        return this.#takeText(part)
      case 'reasoning-delta': {
        const text = this.#grow('reasoning', part.id, part.delta, part.providerMetadata)
        return text ? { type: 'reasoning', text } : undefined
      }
      case 'tool-input-start':
        if (!part.providerExecuted) this.#write({ id: part.id, name: part.toolName, text: '', done: false })
        return undefined
      case 'tool-input-delta':
        return this.#takeInput(part)
      case 'tool-call':
        return part.providerExecuted ? undefined : this.#takeCall(part)
      case 'file':
        return this.#takeFile(part)
      default:
        return undefined
    }
  }

  #takeText({ id, delta, providerMetadata }: PartOf<'text-delta'>): ModelPart | undefined {
    let thoughts = this.#thoughts.get(id)
    if (!thoughts) this.#thoughts.set(id, (thoughts = new ThinkReader()))
    const { reasoning, text, replaces } = thoughts.take(delta)
    if (replaces) this.#turnToReasoning(id)
    // In the order of the answer.
    const thought = reasoning && this.#grow('reasoning', id, reasoning, undefined)
    if (replaces) {
      this.#showText(id, text, providerMetadata)
      return { type: 'text', text: this.#textSoFar, replaces }
    }
    // A piece with both is the last one of the reasoning, whose text is the part to pass on.
    return this.#showText(id, text, providerMetadata) ?? (thought ? { type: 'reasoning', text: thought } : undefined)
  }

  /** The text of a part so far was reasoning, whose end came without a beginning. */
  #turnToReasoning(id: string): void {
    const text = this.#growing.get(`text ${id}`)
    if (!text) return
    this.#growing.delete(`text ${id}`)
    text.type = 'reasoning'
    this.#growing.set(`reasoning ${id}`, text)
    this.hasText = this.#textSoFar.trim() !== ''
  }

  get #textSoFar(): string {
    return this.#pieces
      .map((piece) => ('deltas' in piece && piece.type === 'text' ? piece.deltas.join('') : ''))
      .join('')
  }

  /** Returns the text that was held back because it might have been the beginning of an element. */
  #endText(id: string): ModelPart | undefined {
    return this.#showText(id, this.#thoughts.get(id)?.end() ?? '', undefined)
  }

  #showText(id: string, delta: string, metadata: SharedV3ProviderMetadata | undefined): ModelPart | undefined {
    const text = this.#grow('text', id, delta, metadata)
    if (!text) return undefined
    this.hasText ||= text.trim() !== ''
    return { type: 'text', text }
  }

  #takeInput({ id, delta }: PartOf<'tool-input-delta'>): ModelPart | undefined {
    const writing = this.#writing.get(id)
    if (!writing) return undefined
    this.#count(delta.length)
    writing.text += delta
    return { type: 'tool-input', id: writing.id, name: writing.name, text: delta }
  }

  #takeCall({ toolCallId, toolName, input, providerMetadata }: PartOf<'tool-call'>): ToolCallPart {
    const writing = this.#writing.get(toolCallId)
    if (!writing) this.#count(input.length)
    const call = this.#call(toolCallId, toolName, input, providerMetadata)
    this.#writing.delete(toolCallId)
    if (writing) this.#pieces[this.#pieces.indexOf(writing)] = call
    else {
      this.#countCall()
      this.#pieces.push(call)
    }
    return call
  }

  #takeFile({ data, mediaType, providerMetadata }: PartOf<'file'>): FilePart {
    const file: FilePart = {
      type: 'file',
      mediaType,
      data: typeof data === 'string' ? data : Buffer.from(data).toString('base64'),
      ...(providerMetadata ? { providerMetadata: providerMetadata as ProviderMetadata } : {}),
    }
    this.#pieces.push(file)
    return file
  }

  /** Takes the fields of the server's own that stand with the end of an answer. */
  takeEnd(metadata: SharedV3ProviderMetadata | undefined): void {
    const own = ownFieldsIn(metadata)
    if (own) this.#takeOwn(own)
  }

  #takeOwn({ message, calls }: OwnFields): void {
    let next = 0
    for (const [index, piece] of this.#pieces.entries()) {
      const isCall = 'name' in piece
      const fields = isCall ? calls[next++] : undefined
      // The package has some of them by another name, by which it does not send them back.
      if (fields && Object.keys(fields).length > 0 && 'type' in piece && piece.type === 'tool-call')
        this.#pieces[index] = { ...piece, providerMetadata: { [SENT_BACK]: fields } }
    }
    if (Object.keys(message).length === 0) return
    const metadata = { [SENT_BACK]: message } as SharedV3ProviderMetadata
    const reasoning = this.#pieces.find((piece): piece is Growing => 'deltas' in piece && piece.type === 'reasoning')
    if (reasoning) reasoning.metadata = merge(reasoning.metadata, metadata)
    else this.#pieces.unshift({ type: 'reasoning', deltas: [], metadata })
  }

  /** Returns the whole answer, or only the visible part of a broken one. */
  message(broken: boolean): AssistantMessage {
    const content: (TextPart | ReasoningPart | ToolCallPart | FilePart)[] = []
    for (const piece of this.#pieces) {
      if ('deltas' in piece) {
        const text = clean(piece.deltas.join(''))
        // Reasoning may be metadata only, when the provider hides its text.
        if ((text || (piece.type === 'reasoning' && piece.metadata)) && !(broken && piece.type === 'reasoning'))
          content.push({
            type: piece.type,
            text,
            ...(piece.metadata ? { providerMetadata: piece.metadata as ProviderMetadata } : {}),
          })
      } else if ('type' in piece) {
        if (!broken) content.push(piece)
      } else if (!broken) {
        // A call that was never completed gets an error, so that the model can try again.
        this.hasCalls = true
        const { invalid = 'the arguments are not complete', input } = parseArguments(piece.text)
        content.push({ type: 'tool-call', id: this.#unique(piece.id), name: piece.name, input, invalid })
      }
    }
    const limited = limitMetadata(content)
    this.leftOut = limited.leftOut
    return { role: 'assistant', content: limited.content }
  }

  #call(id: string, name: string, text: string, metadata: SharedV3ProviderMetadata | undefined): ToolCallPart {
    this.hasCalls = true
    return {
      type: 'tool-call',
      id: this.#unique(id),
      name,
      ...parseArguments(text),
      ...(metadata ? { providerMetadata: metadata as ProviderMetadata } : {}),
    }
  }

  /** Some providers number the calls of each answer from zero. */
  #unique(id: string): string {
    const unique =
      !id || this.#ids.has(id) || this.#taken(id) ? `call_${randomUUID().replaceAll('-', '').slice(0, 24)}` : id
    this.#ids.add(unique)
    return unique
  }

  #write(writing: Writing): void {
    this.#countCall()
    this.#writing.set(writing.id, writing)
    this.#pieces.push(writing)
  }

  #piece(type: Growing['type'], id: string): Growing {
    const key = `${type} ${id}`
    let growing = this.#growing.get(key)
    if (!growing) {
      this.#growing.set(key, (growing = { type, deltas: [] }))
      this.#pieces.push(growing)
    }
    return growing
  }

  #note(type: Growing['type'], id: string, metadata: SharedV3ProviderMetadata | undefined): void {
    if (!metadata) return
    const growing = this.#piece(type, id)
    growing.metadata = merge(growing.metadata, metadata)
  }

  #grow(type: Growing['type'], id: string, delta: string, metadata: SharedV3ProviderMetadata | undefined): string {
    if (metadata) this.#note(type, id, metadata)
    if (!delta) return ''
    this.#count(delta.length)
    let text = this.#half + delta
    this.#half = ''
    const last = text.charCodeAt(text.length - 1)
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#half = text.slice(-1)
      text = text.slice(0, -1)
    }
    if (!text) return ''
    this.#piece(type, id).deltas.push(text)
    return text
  }

  #countCall(): void {
    if (++this.#calls > MAX_CALLS) throw new ModelError('server', `The answer has more than ${MAX_CALLS} calls`)
  }

  #count(chars: number): void {
    this.#chars += chars
    if (this.#chars > MAX_CHARS)
      throw new ModelError('server', `The answer is longer than ${MAX_CHARS / 1024 / 1024} MiB`)
  }
}

function merge(before: SharedV3ProviderMetadata | undefined, more: SharedV3ProviderMetadata): SharedV3ProviderMetadata {
  if (!before) return more
  const all = { ...before }
  for (const [key, value] of Object.entries(more)) all[key] = { ...all[key], ...value }
  return all
}
