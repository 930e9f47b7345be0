// A plain yes or no to what waits for a person: it counts where it can mean one thing only; of several the person is told which wait,
// by number, and answers by that. Nothing is answered by guess.
import { isWireError } from '@mynah/contract'
import type { HostControl, Reader } from '@mynah/kernel'
import type { MessageRow } from '@mynah/contract/types'
import type { Awaiting, OpenRequest } from '../api/points.js'
import type { Message } from '../api/message.js'
import type { ReceivedMessage } from './received-message.js'
import { textsFor } from '../texts.js'
import { yesOrNo } from '../api/yes-or-no.js'

/** Longer than any word of {@link yesOrNo}. */
const MAX_WORD = 12
/** Rows of a conversation in which the last words of the bot are looked for. */
const ROWS = 20
/** People whose list is remembered: one that is forgotten is told again. */
const LISTS = 1_000
/** Requests that one list names. */
const LISTED = 10
const TITLE = 120

/** What was said, as an answer: `number` where one was named, `approve` where it says yes or no. */
interface Said {
  readonly number?: number
  readonly words: string
  readonly approve: boolean | undefined
}

/** The last list that a person was told in a conversation. Numbers stay those of their requests for as long as one of them waits. */
interface List {
  readonly ids: readonly string[]
  readonly messageId: string
  readonly named: readonly string[]
}

interface Deps {
  readonly awaiting: Reader<Awaiting>
  readonly host: HostControl
  readonly isCommand: (message: ReceivedMessage) => boolean
  /** The newest rows of the conversation of a message, oldest first. */
  readonly rows: (message: Message, limit: number) => Promise<readonly MessageRow[]> | readonly MessageRow[]
}

export class PlainAnswers {
  readonly #deps: Deps
  readonly #lists = new Map<string, List>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Takes a message that answers something by a plain word, or could; says whether it did. */
  async take(message: ReceivedMessage): Promise<boolean> {
    const said = saidIn(message.text)
    if (!said || this.#deps.isCommand(message)) return false
    const open = this.#open(message)
    if (open.length === 0) return false
    const list = this.#lists.get(placeOf(message))
    const meant =
      said.number === undefined ? await this.#meantBy(message, open, list) : numbered(said, said.number, open, list)
    if (meant === undefined) return false
    if (meant === 'unclear') {
      message.step('answer', '', 'unclear', `${open.length} wait`)
      await this.#tell(message, open, '')
    } else {
      await this.#answer(message, meant, said)
    }
    return true
  }

  #open(message: Message): readonly OpenRequest[] {
    return this.#deps.awaiting.all().flatMap(({ value, owner }) => {
      try {
        return value.open(message)
      } catch (error) {
        this.#deps.host.report(owner, error)
        return []
      }
    })
  }

  /** What a bare yes or no means: the request that is quoted, or the only one, where nothing was said since it was asked. */
  async #meantBy(
    message: Message,
    open: readonly OpenRequest[],
    list: List | undefined,
  ): Promise<OpenRequest | 'unclear' | undefined> {
    const { replyTo } = message
    if (replyTo !== undefined && replyTo !== list?.messageId) {
      const quoted = open.find(({ messageId }) => messageId === replyTo)
      return quoted?.isFree === true ? undefined : quoted
    }
    const [only] = open
    if (open.length > 1 || !only) return 'unclear'
    // Whoever waits for words takes these too.
    if (only.isFree === true) return undefined
    const last = (await this.#deps.rows(message, ROWS)).findLast(({ direction }) => direction === 'out')?.messageId
    if (
      last &&
      (last === only.messageId || (last === list?.messageId && list.named.length === 1 && list.named[0] === only.id))
    )
      return only
    // Anything else may mean something else, but for who was just told how to answer.
    return list?.ids.includes(only.id) ? 'unclear' : undefined
  }

  async #answer(message: Message, request: OpenRequest, { words, approve }: Said): Promise<void> {
    let text: string | undefined
    try {
      text = await request.answer(message, words, approve)
    } catch (error) {
      // A wire error is meant for who asked.
      if (!isWireError(error)) throw error
      text = textsFor(message.locale).wire(error)
    }
    if (text === undefined) return
    const left = this.#lists.has(placeOf(message)) ? this.#open(message).filter(({ id }) => id !== request.id) : []
    if (left.length) await this.#tell(message, left, text)
    else await message.$reply(text)
  }

  /** Tells which requests wait and how each is answered, below `before`. */
  async #tell(message: Message, open: readonly OpenRequest[], before: string): Promise<void> {
    const place = placeOf(message)
    const known = this.#lists.get(place)?.ids ?? []
    const kept = known.some((id) => open.some((request) => request.id === id)) ? known : []
    const ids = [...kept, ...open.map(({ id }) => id).filter((id) => !kept.includes(id))]
    const lines = open
      .map((request) => ({ number: ids.indexOf(request.id) + 1, request }))
      .sort((a, b) => a.number - b.number)
    const shown = lines.slice(0, LISTED)
    const text = textsFor(message.locale).waiting(
      shown.map(({ number, request }) => ({ number, title: oneLine(request.title) })),
      lines.length,
    )
    const { messageId } = await message.$reply(before === '' ? text : `${before}\n\n${text}`)
    this.#lists.delete(place)
    this.#lists.set(place, { ids, messageId, named: shown.map(({ request }) => request.id) })
    if (this.#lists.size > LISTS) this.#lists.delete(this.#lists.keys().next().value as string)
  }
}

/** What a number of a list means. */
function numbered(
  { words, approve }: Said,
  number: number,
  open: readonly OpenRequest[],
  list: List | undefined,
): OpenRequest | 'unclear' | undefined {
  const named = open.find(({ id }) => id === list?.ids[number - 1])
  const isFree = open.some((request) => request.isFree === true)
  // A choice of a question.
  if (words === '') return named && !isFree ? 'unclear' : undefined
  if (named?.isFree === true || (named && approve !== undefined)) return named
  // The only one that waits takes any words.
  if (approve !== undefined) return isFree && open.length === 1 ? undefined : 'unclear'
  return named && words.length <= MAX_WORD ? 'unclear' : undefined
}

/** A message as an answer: `yes`, `2 yes`, `yes 2`, `2`, and what follows a number. */
function saidIn(text: string): Said | undefined {
  const trimmed = text.trim()
  const approve = yesOrNo(trimmed)
  if (approve !== undefined) return { words: trimmed, approve }
  const first = /^(\d{1,2})(?:$|[.):、](?!\d)\s*|\s+|(?=[^\d\s]))/.exec(trimmed)
  if (first) {
    const words = trimmed.slice(first[0].length)
    const meaning = yesOrNo(words)
    // Without a space it is a number of its own only before such a word: `3d` is none.
    return words === '' || meaning !== undefined || /\D$/.test(first[0])
      ? { number: Number(first[1]), words, approve: meaning }
      : undefined
  }
  const [last] = trimmed.length > MAX_WORD + 4 ? [] : (/(?<!\d)\d{1,2}$/.exec(trimmed) ?? [])
  if (last === undefined) return undefined
  const words = trimmed.slice(0, -last.length).trim()
  const before = yesOrNo(words)
  return before === undefined ? undefined : { number: Number(last), words, approve: before }
}

/** On one line and without characters that nobody sees: nothing in it can pass for another line of the list. */
function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * TITLE)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > TITLE ? `${line.slice(0, TITLE)}…` : line
}

const placeOf = ({ adapter, endpoint, channel, sender }: Message): string =>
  JSON.stringify([adapter, endpoint, channel.type, channel.id, channel.parent?.id, sender.id])
