import type { Segment } from '@mynah/contract/types'
import { messageOf } from '@mynah/kernel'
import { isWireError } from '@mynah/contract'
import type { Message } from '@mynah/plugin-chat/api'
import type { ModelError, Usage } from '@mynah/plugin-ai/api'
import { Delivery } from '../delivery/delivery.js'
import type { AgentRuntime } from '../runtime.js'
import { TurnLost } from '../session/turn-lost.js'
import { isClosed, type Entry } from '../session/types.js'
import { explainWait, textsFor } from '../texts.js'
import { abortOf, failureOf, isFailureState, poisonsConversation, type TurnFailure } from './failure.js'
import type { LiveTurn, Steering } from './live-turn.js'
import type { TurnEntries } from './turn-entries.js'
import { repliesByVoice, voiceReply } from './voice-reply.js'

/** Returns whether an entry is an answer: no call of a tool, and nothing that was cut off by the end of the turn. */
export const isAnswer = (entry: Entry): boolean =>
  entry.kind === 'message' &&
  entry.role === 'assistant' &&
  entry.meta.partial !== true &&
  !(entry.content as readonly { readonly type: string }[]).some(({ type }) => type === 'tool-call')

/** Says in chat what a turn has to say: the answer as it grows, and the end, which is stored before it is sent. */
export class TurnReply {
  readonly #runtime: AgentRuntime
  readonly #live: LiveTurn
  readonly #entries: TurnEntries
  #delivery: Delivery | undefined

  constructor(runtime: AgentRuntime, live: LiveTurn, entries: TurnEntries) {
    this.#runtime = runtime
    this.#live = live
    this.#entries = entries
  }

  /** Starts an answer when the turn has a message to answer. */
  start(): void {
    const { message } = this.#live
    if (!message) return
    this.#delivery = this.#deliveryTo(message, this.#nextPart)
    this.#runtime.chat?.typing(message.adapter, message.endpoint, message.channel)
  }

  /** A model begins to answer, or to go on with an answer. */
  beginAttempt(): void {
    this.#delivery?.beginAttempt()
  }

  append(text: string): void {
    this.#delivery?.append(text)
  }

  /** Puts a text in the place of that of the attempt, which was reasoning. */
  replace(text: string): void {
    this.#delivery?.replace(text)
  }

  showTool(name: string): void {
    this.#delivery?.showStatus(`… ${name}`)
  }

  /** Says that the turn waits for a model, and why. */
  showWaiting(reason: ModelError | undefined): void {
    this.#delivery?.showStatus(explainWait(reason, this.#live.message?.locale), true)
  }

  /** Ends the text before a tool call, so that later text starts a new paragraph. */
  pause(): void {
    this.#delivery?.pause()
  }

  /** Adds a message of a master to the turn. An answer that is complete is sent first: each message gets one. */
  async acceptSteering(
    { entry, turn, inbound, isJoined }: Steering,
    why: 'steering' | 'follow-up',
    isAnswered: boolean,
  ): Promise<void> {
    const { message } = this.#live
    const answer = this.#live.answerText.trim()
    if (message && isAnswered && answer !== '') {
      await this.#sendAhead(answer)
      this.#delivery = this.#deliveryTo(inbound, this.#delivery?.nextPart ?? 1)
      this.#live.clearText()
    }
    const steered = why === 'steering' ? 'steered' : 'followed'
    message?.step('turn', turn.id, isJoined ? 'joined' : steered)
    const ending = {
      state: 'done',
      stage: isJoined ? 'joined' : 'steered',
      endedAt: this.#runtime.clock.now(),
    } as const
    await this.#entries.append([entry], {}, { turn, changes: ending })
    inbound.done()
  }

  #deliveryTo(message: Message, firstPart: number): Delivery {
    // A spoken answer cannot grow.
    const mode = repliesByVoice(this.#runtime, message) ? 'off' : this.#runtime.config['ai.agent'].stream
    return new Delivery(this.#runtime, this.#live.journal.id, message, mode, firstPart)
  }

  async #voiceReply(answer: string): Promise<readonly Segment[] | undefined> {
    const { message } = this.#live
    return message && answer !== '' ? voiceReply(this.#runtime, this.#live, message, answer) : undefined
  }

  /** Sends an answer that is followed by another one of the same turn, which does not wait for it. */
  async #sendAhead(answer: string): Promise<void> {
    try {
      await this.#send(answer, await this.#voiceReply(answer))
    } catch (error) {
      this.#runtime.log.warn(`failed to send an answer: ${messageOf(error)}`, { turn: this.#live.journal.id })
    }
  }

  /**
   * Sends the text of an answer, or `content` in its place. Returns the error when it could not be sent.
   *
   * @param isWhole whether the text has all that people can see already
   * @throws WireError `not_ready` where chat or its store did not take the message, so that it is to be sent again
   */
  async #send(text: string, content?: readonly Segment[], isWhole = false): Promise<string | undefined> {
    const { message, journal } = this.#live
    if (!message) return undefined
    const delivery = this.#delivery ?? new Delivery(this.#runtime, journal.id, message, 'off', this.#nextPart)
    let error: string | undefined
    try {
      await (isWhole ? delivery.endWithAll(text) : delivery.end(text, content))
    } catch (failure) {
      if (isWireError(failure) && failure.code === 'not_ready') throw failure
      // Chat has stored the message as failed or unknown. It is not sent again.
      error = messageOf(failure)
      this.#runtime.log.warn(`failed to send an answer: ${error}`, { turn: journal.id })
    }
    this.#runtime.events.emit('sent', this.#live, text, error)
    return error
  }

  /**
   * Number of the next part. Each earlier answer was a part, and the last one is the next part until it was delivered.
   * The notice of a failure is a part without an entry.
   */
  get #nextPart(): number {
    const { written } = this.#entries
    const answers = written.filter(isAnswer).length
    const { state, stage } = this.#live.journal
    const last = written.at(-1)
    const isStored = state === 'delivering' ? !isFailureState(stage) : last !== undefined && isAnswer(last)
    return isStored ? Math.max(0, answers - 1) : answers
  }

  /** Stores the last entry and the state `delivering` in one commit, then sends the answer and ends the turn. */
  async finish(text: string, usage: Usage | undefined): Promise<void> {
    const answer = text.trim()
    await this.#entries.close({ state: 'delivering', stage: 'deliver', answer, waiting: null })
    if (usage) await this.#addUsage(usage)
    await this.deliver(answer)
  }

  /** Adds to the usage of the session. A failure keeps no answer back. */
  async #addUsage(usage: Usage): Promise<void> {
    const { store, log } = this.#runtime
    try {
      await store.addUsage(this.#live.journal.session, usage)
    } catch (error) {
      log.warn(`failed to add the usage of a turn to its session: ${messageOf(error)}`, { turn: this.#live.journal.id })
    }
  }

  /**
   * Sends the answer, or the notice of a failure, that the journal holds, and ends the turn.
   *
   * @throws WireError `not_ready` where chat did not take the message: the turn stays open, and is delivered again
   */
  async deliver(answer: string): Promise<void> {
    const { stage, error: reason } = this.#live.journal
    const isFailure = isFailureState(stage)
    const text = answer === '' ? textsFor(this.#live.message?.locale).nothing : answer
    const error = await this.#send(text, isFailure ? undefined : await this.#voiceReply(answer), isFailure)
    const state = isFailure ? stage : 'done'
    await this.#entries.end({
      state,
      stage: isFailure ? 'ended' : 'done',
      endedAt: this.#runtime.clock.now(),
      ...(reason === null && error !== undefined ? { error } : {}),
    })
  }

  /**
   * Ends a turn without a whole answer: stores the failure, sends its notice, then ends the turn. Text that people can
   * see stays above the notice, and in the conversation.
   */
  async fail(error: unknown): Promise<void> {
    const { log, host, clock } = this.#runtime
    const { message, journal } = this.#live
    if (error instanceof TurnLost) return log.warn(`a turn is left alone: ${error.message}`)
    // Its answer is stored, and repeated by the next start where it was not sent.
    if (isClosed(journal)) return log.error(`failed to end a turn: ${messageOf(error)}`, { turn: journal.id })
    const failure = failureOf(error, abortOf(error, this.#live.signal), message)
    // A suspended turn stays open in the journal.
    if (!failure) return
    this.#live.fail(error)
    const { state } = failure
    const notice = [await this.#delivery?.shown(), failure.notice].filter(Boolean).join('\n\n')
    if (this.#live.answerText.trim() !== '') this.#entries.holdPartial(this.#live.answerText)
    const reason = host.redact(failure.reason)
    this.#logFailure(failure, reason)
    message?.step('turn', state, 'ended', reason)
    // Before the journal forgets them: after a stop in between, the next start withdraws them again.
    await this.#runtime.withdrawApprovals(this.#live.waits.approvals)
    const ending = { error: reason, waiting: null } as const
    const ended = message
      ? ({ ...ending, state: 'delivering', stage: state, answer: notice } as const)
      : ({ ...ending, state, stage: 'ended', endedAt: clock.now() } as const)
    try {
      await this.#entries.close(ended, poisonsConversation(error))
      // An earlier close may have stored an answer, which is what is delivered then.
      if (this.#live.journal.state === 'delivering') await this.deliver(this.#live.journal.answer ?? notice)
    } catch (failed) {
      if (failed instanceof TurnLost || this.#live.leaving.aborted) return
      log.error(`failed to persist turn result: ${messageOf(failed)}`, { turn: journal.id })
    }
  }

  /** Logs an expected failure as a warning: its cause, such as a key or a limit, is for the operator to fix. */
  #logFailure({ isFault, state }: TurnFailure, reason: string): void {
    const facts = { turn: this.#live.journal.id }
    if (isFault) this.#runtime.log.error(`turn failed unexpectedly: ${reason}`, facts)
    else if (state === 'failed') this.#runtime.log.warn(`turn failed: ${reason}`, facts)
  }
}
