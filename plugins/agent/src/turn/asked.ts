// The questions of turns that run, and their answers: by the next message, by quoting, by a button. Each is answered once.
import { WireError } from '@mynah/contract'
import { renderToPlainText, type Message, type OpenRequest } from '@mynah/plugin-chat/api'
import type { SessionStore, WaitingFor } from '../session/types.js'
import { chosen, placeOf, type Questions } from '../tools/questions.js'
import type { LiveTurn } from './live.js'

/** A question that waits, and its turn. */
export interface Asking {
  readonly live: LiveTurn
  readonly waiting: WaitingFor
}
type Said = Pick<Message, 'adapter' | 'endpoint' | 'channel' | 'sender' | 'replyTo'>

/** In a group people answer a bot by its name. */
const withoutMention = ({ segments, text }: Message): string =>
  segments[0]?.type === 'at' ? renderToPlainText([...segments.slice(1)]) : text

interface Deps {
  readonly store: () => SessionStore
  readonly questions: Questions
  /** Turns that run. */
  readonly live: () => readonly LiveTurn[]
  /** Resolves when what a stop has left runs again. */
  readonly recovered: () => Promise<void>
}

export class Asked {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The question that a message answers; also one that has not been asked again since the start. A quote picks, else it is the newest. */
  by(message: Said): Asking | undefined {
    const open = this.#openTo(message)
    const known = this.#deps.questions.answeredBy(message)
    return (
      (known && open.find(({ live, waiting }) => waiting.id === known.id && live.journal.id === known.turn)) ??
      open.at(-1)
    )
  }

  /** Questions that wait for this person in this place. */
  #openTo({ adapter, endpoint, channel, sender }: Said): readonly Asking[] {
    const place = placeOf({ adapter, endpoint, channel, user: sender.id })
    return this.#open().filter(({ live: { journal } }) => placeOf(journal.origin) === place)
  }

  #open(): readonly Asking[] {
    return this.#deps.live().flatMap((live) => live.waits.questions.map((waiting) => ({ live, waiting })))
  }

  /** What waits for the sender of a message where it was said, for the one who tells what a plain word may mean. */
  open(message: Message): readonly OpenRequest[] {
    return this.#openTo(message).map((asking) => {
      const { id, text = '', choices = [] } = asking.waiting
      return {
        id,
        isFree: true,
        title: choices.length ? `${text} (${choices.join(' / ')})` : text,
        messageId: this.#deps.questions.messageOf(id),
        answer: async (said, words) => void (await this.answer(asking, said, words)),
      }
    })
  }

  /** A message answers: a choice by its number, or in words; the whole of it, but the mention with which it begins, unless told. */
  answer(asking: Asking, message: Message, words = withoutMention(message)): Promise<void> {
    return this.#heard(asking, message, chosen(asking.waiting, words))
  }

  /** An answer from the console. */
  async told(id: string, text: string): Promise<void> {
    await this.#deps.recovered()
    const asking = this.#open().find(({ waiting }) => waiting.id === id)
    if (!asking) throw new WireError('not_found', 'No such question waits for an answer')
    await this.#settle(asking, chosen(asking.waiting, text))
  }

  /** A button was pressed. It counts for who was asked, where it was asked; `over` where there is no such question. */
  async pressed(message: Message, token: string, choice: number): Promise<'answered' | 'over'> {
    await this.#deps.recovered()
    const asking = this.#openTo(message).find(({ waiting }) => waiting.id === token)
    const answer = asking?.waiting.choices?.[choice - 1]
    if (!asking || answer === undefined) return 'over'
    await this.#heard(asking, message, answer)
    return 'answered'
  }

  /** A message that answers is over when its answer is kept. */
  async #heard(asking: Asking, message: Message, answer: string): Promise<void> {
    await this.#settle(asking, answer, () => message.detach())
    message.step('turn', asking.live.journal.id, 'answers a question')
    message.done()
  }

  /** Keeps an answer, with the end of the handling of its message where there is one, then gives it to who asked. */
  async #settle({ live, waiting }: Asking, answer: string, handOver?: () => Promise<void>): Promise<void> {
    // Known at once: of two answers the first counts.
    const know = (now: WaitingFor): void => {
      live.waits.know(now)
      live.journal = { ...live.journal, waiting: live.waits.journalled() }
    }
    know({ ...waiting, answer })
    // What was to be written before must not come after it, and take its place.
    await live.written
    try {
      await this.#deps.store().answered(live.journal.id, live.waits.journalled(), handOver)
    } catch (error) {
      know(waiting)
      throw error
    }
    this.#deps.questions.settle(waiting.id, answer)
  }
}
