// What a turn says where it belongs: the answer that grows, what is said in between, and its end, which is written down before it is said.
import type { Segment } from '@mynah/contract/types'
import { messageOf } from '@mynah/kernel'
import type { Message } from '@mynah/plugin-chat/api'
import { isModelError, type Usage } from '@mynah/plugin-ai/api'
import { Delivery } from '../delivery/delivery.js'
import { textsFor } from '../texts.js'
import type { Chain } from './chain.js'
import type { RunnerDeps } from './deps.js'
import { exitOf, isExit } from './exit.js'
import { Ended, type LiveTurn, type Steering } from './live.js'
import { isSpoken, spoken } from './spoken.js'

/** Whether a provider would refuse every request that holds what was said: the conversation goes on from before it. */
const isPoisoned = (failure: unknown): boolean =>
  isModelError(failure) && (failure.class === 'refusal' || failure.class === 'format')

export class Saying {
  readonly #deps: RunnerDeps
  readonly #live: LiveTurn
  readonly #chain: Chain
  #delivery: Delivery | undefined

  constructor(deps: RunnerDeps, live: LiveTurn, chain: Chain) {
    this.#deps = deps
    this.#live = live
    this.#chain = chain
  }

  /** Begins an answer, where there is somebody to hear it. */
  begin(): void {
    const { message } = this.#live
    if (!message) return
    this.#delivery = this.#deliveryTo(message, this.#part)
    this.#deps.chat()?.typing(message.adapter, message.endpoint, message.channel)
  }

  /** More of the answer. */
  text(chunk: string): void {
    this.#delivery?.text(chunk)
  }

  /** A tool runs. */
  doing(tool: string): void {
    this.#delivery?.doing(`… ${tool}`)
  }

  pause(): void {
    this.#delivery?.pause()
  }

  /** A message of a master is taken in. Where the answer to the one before stands already, that is sent first: each is answered. */
  async takeIn({ entry, turn, inbound }: Steering, why: 'steering' | 'follow-up', isAnswered: boolean): Promise<void> {
    const { store, clock } = this.#deps
    const { message, said } = this.#live
    if (message && isAnswered && said.trim() !== '') {
      await this.#say(said.trim(), await this.#spoken(said.trim()))
      this.#delivery = this.#deliveryTo(inbound, this.#delivery?.next ?? 1)
      this.#live.said = ''
    }
    message?.step('turn', turn.id, why === 'steering' ? 'steered' : 'followed')
    await this.#chain.append([entry])
    inbound.done()
    await store().advance(turn.id, { state: 'done', stage: 'steered', ended_at: clock.now() })
  }

  /** What is spoken cannot grow while it is written. */
  #deliveryTo(message: Message, part: number): Delivery {
    const { chat, config, log } = this.#deps
    return new Delivery(
      chat,
      this.#live.journal,
      message,
      isSpoken(this.#deps, message) ? 'off' : config()['ai.agent'].stream,
      log,
      part,
    )
  }

  async #spoken(answer: string): Promise<readonly Segment[] | undefined> {
    const { message } = this.#live
    return message && answer !== '' ? spoken(this.#deps, this.#live, message, answer) : undefined
  }

  /** Says a text where the turn belongs, as `content` where it is more than that; gives why it could not. */
  async #say(text: string, content?: readonly Segment[]): Promise<string | undefined> {
    const { message, journal } = this.#live
    const { chat, log } = this.#deps
    if (!message) return undefined
    const delivery = this.#delivery ?? new Delivery(chat, journal, message, 'off', log, this.#part)
    let error: string | undefined
    try {
      await delivery.end(text, content)
    } catch (failure) {
      // It stands as failed or unknown in the store, and is not said again.
      error = messageOf(failure)
      log.warn(`an answer could not be sent: ${error}`, { turn: journal.id })
    }
    this.#deps.sent(this.#live, text, error)
    return error
  }

  /** Number of the part that comes next: an answer before this one was a part, too. A line about the end stands in no entry. */
  get #part(): number {
    const answers = this.#chain.own.filter(
      (entry) =>
        entry.kind === 'message' &&
        entry.role === 'assistant' &&
        !(entry.content as readonly { readonly type: string }[]).some(({ type }) => type === 'tool-call'),
    ).length
    const { state, stage } = this.#live.journal
    return state === 'delivering' && !isExit(stage) ? Math.max(0, answers - 1) : answers
  }

  /** The last entry and the state `delivering` are one commit; then the answer is sent, and the turn is done. */
  async close(text: string, usage: Usage | undefined): Promise<void> {
    const answer = text.trim()
    await this.#chain.close({ state: 'delivering', stage: 'deliver', answer, waiting: null })
    if (usage) await this.#deps.store().addUsage(this.#live.journal.session, usage)
    await this.deliver(answer)
  }

  /** Says the answer, or the line about the end, that stands in the journal. */
  async deliver(answer: string): Promise<void> {
    const { stage, error: why } = this.#live.journal
    const state = isExit(stage) ? stage : 'done'
    const error = await this.#say(
      answer === '' ? textsFor(this.#live.message?.locale).nothing : answer,
      isExit(stage) ? undefined : await this.#spoken(answer),
    )
    await this.#chain.change({
      state,
      stage: state === 'done' ? 'done' : 'ended',
      ended_at: this.#deps.clock.now(),
      ...(why === null && error !== undefined ? { error } : {}),
    })
  }

  /** The one exit of what did not become an answer: it is written down, then said, then over. */
  async exit(failure: unknown): Promise<void> {
    const { log, host, clock } = this.#deps
    const { message, control, journal } = this.#live
    const ended =
      failure instanceof Ended ? failure : control.signal.reason instanceof Ended ? control.signal.reason : undefined
    const exit = exitOf(failure, ended, message?.locale)
    // The host stops: the journal says where to go on.
    if (!exit) return
    this.#live.failure = failure
    const { state, line } = exit
    const why = host.redact(exit.why)
    if (exit.isFault) log.error(`a turn failed: ${why}`, { turn: journal.id })
    // Whoever runs the host reads of it, too: a key, a model's name or a limit is theirs to mend.
    else if (state === 'failed') log.warn(`a turn has no answer: ${why}`, { turn: journal.id })
    message?.step('turn', state, 'ended', why)
    // While the journal still names them: a stop in between does it again.
    await this.#deps.withdraw(this.#live.waits.approvals)
    try {
      // Nobody has to be told where nobody listens.
      if (!message)
        return await this.#chain.close(
          { state, stage: 'ended', error: why, ended_at: clock.now(), waiting: null },
          isPoisoned(failure),
        )
      await this.#chain.close(
        { state: 'delivering', stage: state, answer: line, error: why, waiting: null },
        isPoisoned(failure),
      )
    } catch (error) {
      log.error(`the end of a turn could not be written: ${messageOf(error)}`, { turn: journal.id })
      await this.#say(line)
      return
    }
    try {
      await this.deliver(line)
    } catch (error) {
      log.error(`the end of a turn could not be written: ${messageOf(error)}`, { turn: journal.id })
    }
  }
}
