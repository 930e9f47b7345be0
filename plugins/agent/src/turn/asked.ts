// The questions of turns that run, and their answers: by the next message, by quoting, by a button. Each is answered once.
import type { Message } from '@mynah/plugin-chat/api'
import type { SessionStore, WaitingFor } from '../session/types.js'
import { chosen, placeOf, tokenOf, type Questions } from '../tools/questions.js'
import type { LiveTurn } from './live.js'

/** A question that waits, and its turn. */
export interface Asking { readonly live: LiveTurn; readonly waiting: WaitingFor }
type Said = Pick<Message, 'adapter' | 'endpoint' | 'channel' | 'sender' | 'replyTo'>

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
    return (known && open.find(({ live, waiting }) => waiting.id === known.id && live.journal.id === known.turn)) ?? open.at(-1)
  }

  /** Questions that wait for this person in this place. */
  #openTo({ adapter, endpoint, channel, sender }: Said): readonly Asking[] {
    const place = placeOf({ adapter, endpoint, channel, user: sender.id })
    return this.#deps.live().filter(({ journal }) => placeOf(journal.origin) === place).flatMap((live) => live.waits.questions.map((waiting) => ({ live, waiting })))
  }

  /** A message answers: a choice by its number, or in words. */
  answer({ live, waiting }: Asking, message: Message): Promise<void> {
    return this.#settle(live, waiting, message, chosen(waiting, message.text))
  }

  /** A button was pressed. It counts for who was asked, where it was asked; `over` where there is no such question. */
  async pressed(message: Message, token: string, choice: number): Promise<'answered' | 'over'> {
    await this.#deps.recovered()
    const asking = this.#openTo(message).find(({ live, waiting }) => tokenOf(live.journal.id, waiting.id) === token)
    const answer = asking?.waiting.choices?.[choice - 1]
    if (!asking || answer === undefined) return 'over'
    await this.#settle(asking.live, asking.waiting, message, answer)
    return 'answered'
  }

  /** Keeps an answer with the end of the handling of its message, then gives it to who asked. */
  async #settle(live: LiveTurn, waiting: WaitingFor, message: Message, answer: string): Promise<void> {
    // Known at once: of two answers the first counts.
    const know = (now: WaitingFor): void => {
      live.waits.know(now)
      live.journal = { ...live.journal, waiting: live.waits.journalled() }
    }
    know({ ...waiting, answer })
    try {
      await this.#deps.store().answered(live.journal.id, live.waits.journalled(), () => message.handedOver())
    } catch (error) {
      know(waiting)
      throw error
    }
    message.step('turn', live.journal.id, 'answers a question')
    this.#deps.questions.settle(waiting.id, answer)
    message.done()
  }
}
