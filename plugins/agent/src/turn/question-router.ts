import { WireError } from '@mynah/contract'
import { isForeign, isForwarded, renderToPlainText, type Message, type OpenRequest } from '@mynah/plugin-chat/api'
import type { AgentRuntime } from '../runtime.js'
import { TurnLost } from '../session/turn-lost.js'
import type { WaitingFor } from '../session/types.js'
import { choiceOf, conversationKey } from '../tools/questions.js'
import type { LiveTurn } from './live-turn.js'
import { untilStored } from './until-stored.js'

/** A question that waits for an answer, and its turn. */
export interface PendingQuestion {
  readonly live: LiveTurn
  readonly waiting: WaitingFor
}
const NOT_OPEN = 'No such question waits for an answer'
type Addressed = Pick<Message, 'adapter' | 'endpoint' | 'channel' | 'sender' | 'replyTo'>

/** In a group people answer a bot by its name. */
const withoutMention = ({ segments, text }: Message): string => {
  const own = segments.filter((segment) => !isForeign(segment))
  return own[0]?.type === 'at' ? renderToPlainText(own.slice(1)) : text
}

/**
 * Routes answers to the questions of running turns: by the next message, a quote or a button. The first answer counts.
 */
export class QuestionRouter {
  readonly #runtime: AgentRuntime
  readonly #recovered: Promise<void>

  /** @param recovered resolves when turns of an earlier start run again */
  constructor(runtime: AgentRuntime, recovered: Promise<void>) {
    this.#runtime = runtime
    this.#recovered = recovered
  }

  /**
   * Returns the question that a message answers: the quoted one, else the newest, or where the message names an agent
   * the newest of that. Questions that were not yet sent again after a restart count as well.
   */
  match(message: Message): PendingQuestion | undefined {
    // Forwarded words are those of another person.
    if (isForwarded(message.segments)) return undefined
    const open = this.#openTo(message)
    const persona = this.#runtime.personaOf(message)
    const known = this.#runtime.questions.match(message)
    const quoted = known && open.find(({ live, waiting }) => waiting.id === known.id && live.journal.id === known.turn)
    if (!persona?.isNamed || (quoted && message.replyTo !== undefined)) return quoted ?? open.at(-1)
    return open.findLast(({ live: { journal } }) => journal.origin.agent === persona.name)
  }

  /** Returns the questions to this person in this conversation. */
  #openTo({ adapter, endpoint, channel, sender }: Addressed): readonly PendingQuestion[] {
    const key = conversationKey({ adapter, endpoint, channel, user: sender.id })
    return this.#open().filter(({ live: { journal } }) => conversationKey(journal.origin) === key)
  }

  #open(): readonly PendingQuestion[] {
    return this.#runtime.activeTurns.all().flatMap((live) => live.waits.questions.map((waiting) => ({ live, waiting })))
  }

  /**
   * Returns the questions to the sender of a message in its conversation, for resolving plain answers such as "yes".
   */
  openRequests(message: Message): readonly OpenRequest[] {
    return this.#openTo(message).map((pending) => {
      const { id, text = '', choices = [] } = pending.waiting
      return {
        id,
        isFree: true,
        title: choices.length ? `${text} (${choices.join(' / ')})` : text,
        messageId: this.#runtime.questions.messageIdOf(id),
        answer: async (answering, words) => void (await this.answer(pending, answering, words)),
      }
    })
  }

  /** Answers by a message: with a choice by its number, or with its words. */
  answer(pending: PendingQuestion, message: Message, words = withoutMention(message)): Promise<void> {
    return this.#accept(pending, message, choiceOf(pending.waiting, words))
  }

  /**
   * Answers from the console.
   *
   * @throws `not_found` when no such question waits
   */
  async answerById(id: string, text: string): Promise<void> {
    await this.#recovered
    const pending = this.#open().find(({ waiting }) => waiting.id === id)
    if (!pending) throw new WireError('not_found', NOT_OPEN)
    await this.#record(pending, choiceOf(pending.waiting, text))
  }

  /** Answers by a button. Returns `over` unless the question waits for this person in this conversation. */
  async answerByButton(message: Message, token: string, choice: number): Promise<'answered' | 'over'> {
    await this.#recovered
    const pending = this.#openTo(message).find(({ waiting }) => waiting.id === token)
    const answer = pending?.waiting.choices?.[choice - 1]
    if (!pending || answer === undefined) return 'over'
    await this.#accept(pending, message, answer)
    return 'answered'
  }

  /** Records an answer and ends the handling of its message in the same transaction. */
  async #accept(pending: PendingQuestion, message: Message, answer: string): Promise<void> {
    await this.#record(pending, answer, message)
    message.step('turn', pending.live.journal.id, 'answers a question')
    message.done()
  }

  /** Stores an answer, then passes it to the tool call that asked. Waits while the store is unavailable. */
  async #record({ live, waiting }: PendingQuestion, answer: string, message?: Message): Promise<void> {
    const update = (now: WaitingFor): void => {
      live.waits.update(now)
      live.update({ waiting: live.waits.journalled() })
    }
    const row = message?.row
    // Known at once, so that the first of two answers counts.
    update({ ...waiting, answer, ...(row === undefined ? {} : { answerRow: row }) })
    live.takeAnswer(row)
    // An earlier write of the journal must not come after this one and overwrite it.
    await live.pendingWrite
    try {
      const { store, clock } = this.#runtime
      const handOver = message && (() => message.detach())
      await untilStored(() => store.recordAnswer(live.journal, live.waits.journalled(), handOver), clock, live.signal)
    } catch (error) {
      update(waiting)
      throw error instanceof TurnLost ? new WireError('not_found', NOT_OPEN) : error
    }
    this.#runtime.questions.settle(waiting.id, answer)
  }
}
