// Repairs the chunks of a chat completion: servers that call themselves compatible leave out fields, write them in
// other forms, or send the whole answer at once. A chunk that is as it should be passes as it is.
import { randomUUID } from 'node:crypto'
import { isRecord } from '@mynah/contract'

const DONE = '[DONE]'

type Fields = Record<string, unknown>

const CHUNK = 'chat.completion.chunk'
const isText = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number'

/** Repairs the chunks of one answer. */
export class ChunkRepair {
  /** The ids of calls by their index. */
  readonly #calls = new Map<number, string>()
  #lastCall = 0
  #hasContent = false
  #isRepaired = false
  /** A chunk had the reason why the answer has ended. */
  hasFinished = false
  /** The server has said that nothing follows. */
  isOver = false

  /** Returns the data to pass on for the data of an event. */
  take(data: string): string[] {
    const text = data.trim()
    if (text === '') return []
    if (text === DONE) return this.end()
    const value = parsed(text)
    // Some servers have no empty line between events.
    if (value === undefined && text.includes('\n')) return text.split('\n').flatMap((line) => this.take(line))
    if (!isRecord(value)) return [text]
    const chunk: Fields = { ...value }
    // An error is reported by the package. An empty one would be taken for an error, too.
    if (chunk['error']) return [text]
    this.#isRepaired = 'error' in chunk
    delete chunk['error']
    chunk['choices'] = this.#choices(chunk['choices'])
    this.#head(chunk)
    return [this.#isRepaired ? JSON.stringify(chunk) : text]
  }

  /** Returns the data of the end of an answer whose end was seen. */
  end(): string[] {
    this.isOver = true
    if (this.hasFinished || !this.#hasContent) return [DONE]
    this.hasFinished = true
    const finish = { index: 0, delta: {}, finish_reason: this.#calls.size > 0 ? 'tool_calls' : 'stop' }
    return [JSON.stringify({ choices: [finish] }), DONE]
  }

  /** Drops fields that no reader uses and that the packages would refuse in another form. */
  #head(chunk: Fields): void {
    if (chunk['object'] !== undefined && chunk['object'] !== CHUNK) this.#set(chunk, 'object', CHUNK)
    for (const name of ['id', 'model', 'system_fingerprint']) this.#drop(chunk, name, isText)
    this.#drop(chunk, 'created', isNumber)
    this.#drop(chunk, 'usage', isRecord)
    const { usage } = chunk
    if (!isRecord(usage)) return
    const counts = { ...usage }
    for (const [name, count] of Object.entries(usage)) {
      if (typeof count === 'string' && /^\d{1,12}$/.test(count)) this.#set(counts, name, Number(count))
      this.#drop(counts, name, name.endsWith('_details') ? isRecord : isNumber)
    }
    chunk['usage'] = counts
  }

  #choices(given: unknown): unknown[] {
    const choices = (Array.isArray(given) ? given : [given]).filter(isRecord)
    if (!Array.isArray(given) || choices.length !== given.length) this.#isRepaired = true
    return choices.map((choice, index) => this.#choice({ ...choice }, index))
  }

  #choice(choice: Fields, index: number): Fields {
    if (typeof choice['index'] !== 'number') this.#set(choice, 'index', index)
    this.#drop(choice, 'logprobs', () => false)
    // A whole answer has a message in place of a delta.
    if (!isRecord(choice['delta']) && isRecord(choice['message'])) {
      this.#set(choice, 'delta', choice['message'])
      delete choice['message']
    }
    const hasContent = isRecord(choice['delta']) && this.#delta((choice['delta'] = { ...choice['delta'] }))
    const reason = choice['finish_reason']
    if (typeof reason === 'string' && reason !== '' && reason !== 'null') this.hasFinished = true
    else {
      // An answer that goes on had not ended.
      if (hasContent) this.hasFinished = false
      if (reason !== null && reason !== undefined) this.#set(choice, 'finish_reason', null)
    }
    return choice
  }

  /** Repairs a delta. Returns whether it has content. */
  #delta(delta: Fields): boolean {
    if (typeof delta['role'] === 'string' && delta['role'] !== 'assistant') this.#set(delta, 'role', 'assistant')
    const text = textOf(delta['content'])
    if (text !== delta['content']) this.#set(delta, 'content', text)
    const calls = callsOf(delta)
    if (calls !== undefined) {
      if (calls !== delta['tool_calls']) this.#set(delta, 'tool_calls', calls)
      delta['tool_calls'] = calls.map((call) => this.#call({ ...call }))
    }
    const said = [delta['content'], delta['reasoning_content'], delta['reasoning']]
    const has = (calls?.length ?? 0) > 0 || said.some((part) => part !== undefined && part !== null && part !== '')
    this.#hasContent ||= has
    return has
  }

  #call(call: Fields): Fields {
    const given = isRecord(call['function']) ? { ...call['function'] } : {}
    const index = this.#indexOf(call, given)
    if (index !== call['index']) this.#set(call, 'index', index)
    if (!this.#calls.has(index)) {
      const id = typeof call['id'] === 'string' && call['id'] !== '' ? call['id'] : `call_${randomUUID()}`
      if (id !== call['id']) this.#set(call, 'id', id)
      this.#calls.set(index, id)
    }
    this.#lastCall = index
    if (call['type'] !== undefined && call['type'] !== 'function') this.#set(call, 'type', 'function')
    if (!isRecord(call['function'])) this.#isRepaired = true
    const { arguments: values } = given
    if (values !== undefined && values !== null && typeof values !== 'string')
      this.#set(given, 'arguments', JSON.stringify(values))
    return { ...call, function: given }
  }

  /** Returns the index of the call that a piece belongs to. A piece with a name and no known id begins another. */
  #indexOf({ index, id }: Fields, { name }: Fields): number {
    if (typeof index === 'number') return index
    if (typeof index === 'string' && /^\d{1,3}$/.test(index)) return Number(index)
    if (typeof id === 'string' && id !== '') {
      const known = [...this.#calls].find(([, other]) => other === id)
      return known ? known[0] : this.#calls.size
    }
    return name === undefined || name === null || name === '' ? this.#lastCall : this.#calls.size
  }

  #drop(fields: Fields, name: string, isAsItShouldBe: (value: unknown) => boolean): void {
    if (fields[name] === undefined || fields[name] === null || isAsItShouldBe(fields[name])) return
    delete fields[name]
    this.#isRepaired = true
  }

  #set(fields: Fields, name: string, value: unknown): void {
    fields[name] = value
    this.#isRepaired = true
  }
}

/** Returns the calls of a delta in their list, also those of the old form. */
function callsOf(delta: Fields): Fields[] | undefined {
  const { tool_calls: calls, function_call: call } = delta
  if (Array.isArray(calls)) return calls.every(isRecord) ? (calls as Fields[]) : calls.filter(isRecord)
  if (isRecord(calls)) return [calls]
  return isRecord(call) ? [{ index: 0, function: call }] : undefined
}

/** Returns content that is one text as a text. */
function textOf(content: unknown): unknown {
  if (typeof content === 'number') return String(content)
  const parts = isRecord(content) ? [content] : content
  if (!Array.isArray(parts) || parts.length === 0) return content
  const texts = parts.map((part: unknown) => (isRecord(part) ? part['text'] : part))
  return texts.every((text) => typeof text === 'string') ? texts.join('') : content
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
