import { isWireError } from '@mynah/contract'
import type { BaseContext, HostControl, Reader } from '@mynah/kernel'
import { LruMap } from '@mynah/kernel/util'
import { awaiting, type Awaiting, type OpenRequest } from '../api/points.js'
import type { Message } from '../api/message.js'
import { isForwarded } from '../api/segments.js'
import type { CommandRunner } from '../commands/runner.js'
import type { ActiveStore } from '../store/active-store.js'
import type { ReceivedMessage } from './received-message.js'
import { errorText } from '../error-text.js'
import { textsFor } from '../texts.js'
import { yesOrNo } from '../api/yes-or-no.js'
import { trimInvisible, visibleWord } from '../util/visible-text.js'

/** Longest text that is compared with the words of {@link yesOrNo}. */
const MAX_WORD = 12
/** Rows of a conversation that are searched for the bot's last message. */
const MAX_ROWS = 20
/** Lists that are remembered. A forgotten one is shown again. */
const MAX_LISTS = 1_000
/** Requests that one list shows. */
const MAX_LISTED = 10
/** Longest title in a list, in UTF-16 units. */
const MAX_TITLE = 120

/** A message read as an answer. */
interface PlainAnswer {
  /** Number of a request in the last list. */
  readonly number?: number
  readonly words: string
  /** Set where the words say yes or no. */
  readonly approve: boolean | undefined
}

/** A list that a person was shown. Requests keep their numbers as long as one of them waits. */
interface List {
  readonly ids: readonly string[]
  readonly messageId: string
  readonly named: readonly string[]
}

/**
 * Passes a plain yes or no to the request that waits for it. It counts only where it can mean one request. Where
 * several wait, the bot lists them by number, and the person answers with the number.
 */
export class PlainAnswers {
  readonly #host: HostControl
  readonly #runner: CommandRunner
  readonly #store: ActiveStore
  readonly #awaiting: Reader<Awaiting>
  /** The last list that each person was shown in a conversation. */
  readonly #lists = new LruMap<string, List>(MAX_LISTS)

  constructor(ctx: BaseContext<unknown>, host: HostControl, runner: CommandRunner, store: ActiveStore) {
    this.#host = host
    this.#runner = runner
    this.#store = store
    this.#awaiting = ctx.read(awaiting)
  }

  /** Handles a message that answers a request, or may. Returns whether it did. */
  async take(message: ReceivedMessage): Promise<boolean> {
    const answer = parseAnswer(message.text)
    if (!answer || this.#runner.isCommand(message)) return false
    const open = this.#open(message)
    if (open.length === 0) return false
    const list = this.#lists.peek(conversationOf(message))
    const meant =
      answer.number === undefined
        ? await this.#requestFor(message, open, list)
        : numbered(answer, answer.number, open, list)
    if (meant === undefined) return false
    if (meant === 'unclear') {
      message.step('answer', '', 'unclear', `${open.length} wait`)
      await this.#showList(message, open, '')
    } else {
      await this.#answer(message, meant, answer)
    }
    return true
  }

  /** Resolves when all plugins know the requests of before the start. */
  async ready(): Promise<void> {
    await Promise.all(this.#awaiting.all().map(({ value }) => value.ready?.()))
  }

  /** Returns whether a request waits for the sender, so that the message may be its answer. */
  mayAnswer(message: Message): boolean {
    return !isForwarded(message.segments) && !this.#runner.isCommand(message) && this.#open(message).length > 0
  }

  #open(message: Message): readonly OpenRequest[] {
    return this.#awaiting.all().flatMap(({ value, owner }) => {
      try {
        return value.open(message)
      } catch (error) {
        this.#host.report(owner, error)
        return []
      }
    })
  }

  /** Returns the request that a bare yes or no answers: the quoted one, or the only one if it was asked last. */
  async #requestFor(
    message: Message,
    open: readonly OpenRequest[],
    list: List | undefined,
  ): Promise<OpenRequest | 'unclear' | undefined> {
    const { replyTo } = message
    if (replyTo !== undefined && replyTo !== list?.messageId) {
      // A request for free words takes these as they are.
      return open.find(({ messageId, isFree }) => messageId === replyTo && !isFree)
    }
    const [only] = open
    if (open.length > 1 || !only) return 'unclear'
    if (only.isFree) return undefined
    const last = await this.#lastMessageId(message)
    if (last && (last === only.messageId || (last === list?.messageId && isOnlyOne(list, only)))) return only
    // The words may answer something else, unless a list has just shown the person how to answer this.
    return list?.ids.includes(only.id) ? 'unclear' : undefined
  }

  /** Returns the platform id of the bot's last message in the conversation. */
  async #lastMessageId({ adapter, endpoint, channel }: Message): Promise<string | undefined> {
    const rows = (await this.#store.current?.transcript({ adapter, endpoint, channel, limit: MAX_ROWS })) ?? []
    return rows.findLast(({ direction }) => direction === 'out')?.messageId
  }

  async #answer(message: Message, request: OpenRequest, { words, approve }: PlainAnswer): Promise<void> {
    let text: string | undefined
    try {
      text = await request.answer(message, words, approve)
    } catch (error) {
      // A wire error is written for the user.
      if (!isWireError(error)) throw error
      text = errorText(error, message, this.#host)
    }
    if (text === undefined) return
    const left = this.#lists.has(conversationOf(message))
      ? this.#open(message).filter(({ id }) => id !== request.id)
      : []
    if (left.length) await this.#showList(message, left, text)
    else await message.$reply(text)
  }

  /** Sends the list of the requests and how to answer each, below the text `before`. */
  async #showList(message: Message, open: readonly OpenRequest[], before: string): Promise<void> {
    const conversation = conversationOf(message)
    const known = this.#lists.peek(conversation)?.ids ?? []
    const kept = known.some((id) => open.some((request) => request.id === id)) ? known : []
    const ids = [...kept, ...open.map(({ id }) => id).filter((id) => !kept.includes(id))]
    const lines = open
      .map((request) => ({ number: ids.indexOf(request.id) + 1, request }))
      .sort((a, b) => a.number - b.number)
    const shown = lines.slice(0, MAX_LISTED)
    const text = textsFor(message.locale).waiting(
      shown.map(({ number, request }) => ({ number, title: oneLine(request.title) })),
      lines.length,
    )
    const { messageId } = await message.$reply(before === '' ? text : `${before}\n\n${text}`)
    this.#lists.set(conversation, { ids, messageId, named: shown.map(({ request }) => request.id) })
  }
}

const isOnlyOne = ({ named }: List, { id }: OpenRequest): boolean => named.length === 1 && named[0] === id

/** Returns the request that a number of a list means. */
function numbered(
  { words, approve }: PlainAnswer,
  number: number,
  open: readonly OpenRequest[],
  list: List | undefined,
): OpenRequest | 'unclear' | undefined {
  const named = open.find(({ id }) => id === list?.ids[number - 1])
  const isFree = open.some((request) => request.isFree === true)
  // A number alone may be a choice of a question.
  if (words === '') return named && !isFree ? 'unclear' : undefined
  if (named?.isFree === true || (named && approve !== undefined)) return named
  // The only request takes any words.
  if (approve !== undefined) return isFree && open.length === 1 ? undefined : 'unclear'
  return named && words.length <= MAX_WORD ? 'unclear' : undefined
}

/** Reads `yes`, `2 yes`, `yes 2`, `2`, and a number with other words after it. */
function parseAnswer(text: string): PlainAnswer | undefined {
  const trimmed = trimInvisible(text)
  const approve = yesOrNo(trimmed)
  if (approve !== undefined) return { words: trimmed, approve }
  const first = /^([\d０-９]{1,2})(?:$|[.):、．）：](?!\d)\s*|\s+|(?=[^\d０-９\s]))/.exec(trimmed)
  if (first) {
    const words = trimmed.slice(first[0].length)
    const meaning = yesOrNo(words)
    // Without a space the number counts only before a yes or no: `3d` is no answer.
    return words === '' || meaning !== undefined || /[^\d０-９]$/.test(first[0])
      ? { number: Number(visibleWord(first[1] as string)), words, approve: meaning }
      : undefined
  }
  const [last] = trimmed.length > MAX_WORD + 4 ? [] : (/(?<![\d０-９])[\d０-９]{1,2}$/.exec(trimmed) ?? [])
  if (last === undefined) return undefined
  const words = trimmed.slice(0, -last.length).trim()
  const before = yesOrNo(words)
  return before === undefined ? undefined : { number: Number(visibleWord(last)), words, approve: before }
}

/** Returns the text on one line, without invisible characters, so that it cannot look like another line of the list. */
function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * MAX_TITLE)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)}…` : line
}

const conversationOf = ({ adapter, endpoint, channel, sender }: Message): string =>
  JSON.stringify([adapter, endpoint, channel.type, channel.id, channel.parent?.id, sender.id])
