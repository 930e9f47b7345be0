import { isWireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { isLeft, type ToolCallContext, type ToolCallPart } from '@mynah/plugin-ai/api'
import type { AgentRuntime } from '../runtime.js'
import type { WaitingFor } from '../session/types.js'
import { asNumberedText, questionContent, questionId, QUESTION_MS, type Question } from '../tools/questions.js'
import type { LiveTurn } from './live-turn.js'
import { takeOff } from './question-buttons.js'
import type { TurnEntries } from './turn-entries.js'

/**
 * Lets the tool calls of a turn wait for an approval, a task or an answer. During a wait the turn holds no slot of the
 * concurrency limiter, its deadline is paused, and its journal says what it waits for.
 */
export class ToolWaits {
  readonly #runtime: AgentRuntime
  readonly #live: LiveTurn
  readonly #entries: TurnEntries
  readonly #onProgress: () => void

  /** @param onProgress called when a wait begins: the deadline for the first part of an answer is met */
  constructor(runtime: AgentRuntime, live: LiveTurn, entries: TurnEntries, onProgress: () => void) {
    this.#runtime = runtime
    this.#live = live
    this.#entries = entries
    this.#onProgress = onProgress
  }

  /** Returns what a tool call knows of its turn, and how it waits and asks. */
  contextOf(call: ToolCallPart, roles: ReadonlySet<string>): ToolCallContext {
    const { origin, sessionKey, id } = this.#live.journal
    return {
      roles,
      origin,
      session: sessionKey,
      turn: id,
      subagent: this.#live.request?.subagent === true,
      log: this.#runtime.log,
      wait: (kind, waitId, run) =>
        this.waitFor({ kind, id: kind === 'question' ? questionId(id, call.id) : waitId, call: call.id }, call, run),
      ask: (question, options = {}) => this.ask(call, question, options.choices),
    }
  }

  /**
   * Waits until `run` has ended. After a restart of the host the call runs again from its beginning. When several calls
   * wait, the turn continues after the last.
   */
  async waitFor<T>(waiting: WaitingFor, call: ToolCallPart, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { limiter, clock } = this.#runtime
    const { waits, signal, journal } = this.#live
    const startedAt = clock.now()
    this.#live.pauseDeadline()
    this.#onProgress()
    if (waits.size === 0) limiter.release(journal.session)
    waits.begin(waiting)
    try {
      return await this.#run(waiting, run)
    } finally {
      // A turn that ends keeps the wait in its journal, so that its request for approval is withdrawn.
      waits.end(call.id, !signal.aborted)
      const next = waits.newest
      if (!next) limiter.hold(journal.session)
      this.#live.resumeDeadline()
      this.#live.trace.waited(waiting.kind, call, clock.now() - startedAt)
      if (!signal.aborted)
        await this.#entries.save({
          ...(next ? { stage: `waiting for ${next.kind}` } : { state: 'running', stage: `tool ${call.name}` }),
          waiting: waits.journalled(),
        })
    }
  }

  async #run<T>(waiting: WaitingFor, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { waits, signal, request } = this.#live
    const stage = `waiting for ${waiting.kind}`
    if (waiting.kind === 'question') {
      // A reader of the state `waiting` may answer at once, so the question starts first. `ask` stores its text.
      const answer = run(signal)
      answer.catch(() => {
        // Handled by the await below.
      })
      await this.#entries.save({ state: 'waiting', stage })
      return await answer
    }
    // Stored before `run` begins: by this line an abandoned turn finds the request that `run` makes, and withdraws it.
    await this.#entries.save({ state: 'waiting', stage, waiting: waits.journalled() })
    await request?.onWait?.(waiting.kind, waiting.id)
    signal.throwIfAborted()
    return await run(signal)
  }

  /** Asks the person for whom the turn runs, in chat where there is one. The console can answer as well. */
  async ask(call: ToolCallPart, text: string, choices: readonly string[] | undefined): Promise<string> {
    const { questions, clock } = this.#runtime
    const { waits, signal, journal } = this.#live
    const known = waits.get(call.id)
    const id = questionId(journal.id, call.id)
    // The host stopped after the answer and before it became a result.
    if (known?.answer !== undefined) {
      if (choices?.length) void takeOff(this.#runtime, journal, new Set([id]), this.#live.leaving)
      return known.answer
    }
    const expiry = new AbortController()
    const expiresAt = known?.expiresAt ?? clock.now() + QUESTION_MS
    const cancelExpiry = clock.setTimeout(
      () => expiry.abort(new Error('no answer came within 30 minutes')),
      Math.max(0, expiresAt - clock.now()),
    )
    const { question, answered } = questions.ask(
      { id, turn: journal.id, origin: journal.origin, text, choices, expiresAt },
      AbortSignal.any([signal, expiry.signal]),
    )
    answered.catch(() => {
      // Handled by the await below.
    })
    try {
      // A question from before a restart is in the journal already. A second write could overwrite an answer.
      if (known?.text === undefined) {
        waits.update({ kind: 'question', id, call: call.id, text, ...(choices ? { choices } : {}), expiresAt })
        await this.#entries.save({ waiting: waits.journalled() })
      }
      await this.#send(question, call)
      return await answered
    } catch (error) {
      // Keep a recorded answer even if sending the question failed.
      const answer = signal.aborted ? undefined : waits.get(call.id)?.answer
      if (answer !== undefined) return answer
      // Later messages must not be taken for an answer.
      waits.end(call.id, !signal.aborted)
      throw error
    } finally {
      cancelExpiry()
      if (!isLeft(signal.reason)) void this.#takeOffButtons(question)
    }
  }

  /** Shows a question without its buttons, since it is over. Never rejects. */
  async #takeOffButtons({ id, origin, text, choices, messageId }: Question): Promise<void> {
    const { chat, log } = this.#runtime
    const { adapter, endpoint, channel } = origin
    if (!chat || !choices?.length) return
    if (adapter === undefined || endpoint === undefined || channel === undefined) return
    if (!chat.can(adapter, endpoint, 'buttons')) return
    // It was sent after the call had its receipt.
    if (messageId === undefined) return takeOff(this.#runtime, this.#live.journal, new Set([id]), this.#live.leaving)
    try {
      await chat.edit(adapter, endpoint, channel, messageId, asNumberedText(text, choices))
    } catch (error) {
      log.debug(`failed to take the buttons off a question: ${messageOf(error)}`)
    }
  }

  /** Sends a question to the conversation of the turn, with buttons where the platform has them. */
  async #send(question: Question, call: ToolCallPart): Promise<void> {
    const { chat } = this.#runtime
    const { adapter, endpoint, channel } = question.origin
    if (adapter === undefined || endpoint === undefined || channel === undefined) return
    const buttons = chat?.can(adapter, endpoint, 'buttons') ? { prefix: chat.commandPrefix } : undefined
    const sent = await chat
      ?.send(adapter, endpoint, channel, questionContent(question, buttons), {
        key: `ask/${question.turn}/${call.id}`,
        ...(this.#live.message ? { answers: this.#live.message } : {}),
      })
      .catch((error: unknown) => {
        // The message may have arrived and be answered. The console shows the question anyway.
        if (!isWireError(error) || error.code !== 'upstream_unavailable:unknown') throw error
      })
    question.messageId = sent?.messageId || undefined
  }
}
