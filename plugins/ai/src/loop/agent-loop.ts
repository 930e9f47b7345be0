// The agent loop: ask the model, run the tools that it calls, ask again, until it answers. It does no I/O of its own
// and throws nothing. Everything that happens is an event, and the last event is its end.
import { systemClock } from '@mynah/kernel'
import { isModelError, ModelError } from '../api/errors.js'
import type { LoopEnd, LoopEndReason, LoopEvent, LoopOptions, MessageQueue, ToolOutcome } from '../api/loop.js'
import {
  textOf,
  toolCallsOf,
  type AssistantMessage,
  type ModelMessage,
  type ToolCallPart,
  type ToolResultPart,
  type UserMessage,
} from '../api/messages.js'
import type { Finish, FinishReason, ModelPart, ModelRequest, Usage } from '../api/models.js'
import { asModelError } from '../errors/as-model-error.js'
import { runBatch, type BatchHost } from './batch.js'
import { LoopDetector } from './detector.js'
import { openCallsOf, unknownOutcome } from './open-calls.js'
import { preExecute } from './pre-execute.js'
import { errorResult, withNote } from './results.js'
import { defaultCallContext, toolSetOf } from './tool-set.js'
import { NO_USAGE } from '../api/usage.js'
import { addStepUsage } from './usage.js'
import { Stop } from '../stream/stop.js'

const CUT_OFF =
  'Not run: the answer was cut at its length limit before this call was complete. Call it again with shorter arguments.'
const REPEATED =
  'Note: this call has given the same result several times. Do something else, or answer with what is known.'
const ANSWER_NOW = 'Note: no more tools can be called now. Answer with what is known.'

type Answer = LoopEvent & { readonly type: 'assistant' }

/** See `agentLoop`. */
export function runLoop(options: LoopOptions): AsyncGenerator<LoopEvent, void> {
  return new Loop(options).run()
}

class Loop {
  readonly #options: LoopOptions
  readonly #messages: ModelMessage[]
  readonly #added: ModelMessage[] = []
  readonly #stopping = new Stop()
  readonly #streamOptions: { readonly signal: AbortSignal }
  readonly #detector = new LoopDetector()
  readonly #batch: BatchHost
  #usage: Usage | undefined
  #steps = 0
  /** Rounds of this answer so far. A message that comes late starts them again. */
  #round = 0
  /** Whether the model repeats its calls without new results. */
  #isCircling = false
  /** Whether the next step answers a message that came too late to steer. */
  #hasLate = false
  /** Whether the last event was made. */
  #isOver = false
  #text = ''
  /** A steering message that was found before a launch of tools. */
  #steered: UserMessage | undefined

  constructor(options: LoopOptions) {
    const { clock = systemClock, toolTimeout = 120_000, parallel = 8, maxResultChars = 100_000, log, redact } = options
    this.#options = options
    this.#messages = [...options.messages]
    const stopping = this.#stopping
    this.#streamOptions = {
      // The signal is made for those who look at it.
      get signal() {
        return stopping.signal
      },
    }
    this.#batch = {
      clock,
      toolTimeout,
      parallel: Math.max(1, parallel),
      maxResultChars,
      stopping: this.#stopping,
      running: new Set(),
      tools: toolSetOf(options.tools),
      interrupted: () => (this.#steered ??= options.steering?.next()) !== undefined,
      callContext: (call) => options.callContext?.(call) ?? defaultCallContext(log),
      redact: (text) => (redact ? redact(text) : text),
    }
  }

  /**
   * Runs the loop. It is one generator: each further one that a part passes through costs more than the part itself.
   */
  async *run(): AsyncGenerator<LoopEvent, void> {
    const unfollow = this.#followSignal()
    let end: LoopEnd | undefined
    try {
      yield* this.#begin()
      while (!end) {
        if (this.#mayBeSteered) yield* this.#take('steering')
        this.#hasLate = false
        if (this.#stopping.stopped) break
        const last = this.#isLastRound
        yield { type: 'step', index: this.#steps++, last }
        let finish: Finish | undefined
        for await (const part of this.#options.stream(await this.#request(last), this.#streamOptions)) {
          if (part.type === 'finish') {
            finish = part
            break
          }
          const event = eventOf(part)
          if (event) yield event
        }
        assertFinished(finish)
        const answer = this.#addAnswer(finish, last)
        yield answer
        if (this.#stopping.stopped) break
        const calls = toolCallsOf(answer.message)
        if (isBroken(answer)) end = this.#end(answer.reason, finish.error)
        else if (calls.length) {
          this.#round++
          yield* this.#runTools(calls, this.#batch, cutOff(answer.reason), this.#isLastRound)
          yield* this.#takeNotes()
        }
        // A message that came too late to steer is answered in rounds of its own.
        else if (yield* this.#takeLate()) this.#restartRounds()
        else end = this.#end(this.#answerReason(last, answer.reason))
      }
      yield end ?? this.#end('aborted')
    } catch (error) {
      if (this.#isOver) throw error
      end = this.#failed(error)
      // Tools may still run when the host has failed.
      this.#stop(error)
      yield end
    } finally {
      unfollow()
      // Stops running tools when the consumer leaves in the middle.
      if (!this.#isOver) this.#stop(undefined)
    }
  }

  /** Stops the loop when the signal of the caller aborts. Returns a function that ends this. */
  #followSignal(): () => void {
    const { signal } = this.#options
    if (!signal) return () => {}
    const stop = (): void => this.#stop(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    return () => signal.removeEventListener('abort', stop)
  }

  /** No step takes a second message after a late one: one at a time means one for each answer. */
  get #mayBeSteered(): boolean {
    // After a stop a message would follow calls without results.
    if (this.#hasLate || this.#stopping.stopped) return false
    return this.#steered !== undefined || this.#options.steering !== undefined
  }

  /** Whether the round is the last one. Tools may come and go between rounds. */
  get #isLastRound(): boolean {
    const { maxSteps = this.#batch.tools.definitions.length ? 15 : 1 } = this.#options
    return this.#isCircling || this.#round + 1 >= maxSteps
  }

  #restartRounds(): void {
    this.#round = 0
    this.#isCircling = false
  }

  /** Adds an answer to the conversation, without calls that will not run. Returns its event. */
  #addAnswer(finish: Finish, last: boolean): Answer {
    const { reason, usage, provider, model } = finish
    this.#usage = addStepUsage(this.#usage, usage)
    const message = last || isBroken(finish) ? withoutCalls(finish.message) : finish.message
    this.#text = textOf(message)
    if (message.content.length) this.#add(message)
    return { type: 'assistant', message, reason, usage, provider, model }
  }

  /** Returns why the loop ends with an answer. */
  #answerReason(last: boolean, reason: FinishReason): LoopEndReason {
    if (reason === 'length') return 'length'
    if (this.#isCircling) return 'loop'
    return last && this.#batch.tools.definitions.length > 0 ? 'max-steps' : 'answer'
  }

  #stop(reason: unknown): void {
    this.#stopping.stop(reason)
    for (const each of this.#batch.running) each(reason)
  }

  /** Settles open calls of an earlier run, and runs the calls for before the first step. */
  async *#begin(): AsyncGenerator<LoopEvent, void> {
    const open = openCallsOf(this.#messages)
    const { settle, hadNotBegun } = this.#options
    if (open.length) {
      const settled = (call: ToolCallPart): ToolResultPart | undefined =>
        settle?.(call) ?? (hadNotBegun?.(call) ? undefined : unknownOutcome(call, this.#batch.tools.find(call.name)))
      // A message that came before this run does not skip them: people may have been asked, and may have answered.
      yield* this.#runTools(open, { ...this.#batch, interrupted: () => false }, settled)
      // Calls of an earlier run do not end this one.
      this.#restartRounds()
    }
    const wanted = this.#options.preExecute
    if (!wanted?.length || open.length || this.#stopping.stopped) return
    const done = await preExecute(wanted, this.#messages, this.#batch, this.#options.preExecTimeout ?? 15_000)
    if (!done) return
    this.#messages[done.index] = done.message
    yield { type: 'pre-executed', outcomes: done.outcomes, message: done.message }
  }

  /** Returns the request of the next step. */
  async #request(last: boolean): Promise<ModelRequest> {
    const { prepareStep, request } = this.#options
    const { definitions } = this.#batch.tools
    const prepared = await prepareStep?.({
      index: this.#steps - 1,
      messages: this.#messages,
      usage: this.#usage ?? NO_USAGE,
    })
    return {
      ...request,
      ...prepared?.request,
      messages: prepared?.messages ?? this.#messages.slice(),
      // The last request keeps the tools, because the prefix would change without them.
      ...(definitions.length ? { tools: definitions, ...(last ? { toolChoice: 'none' as const } : {}) } : {}),
    }
  }

  /** Runs calls and stores their results. Notices when the model repeats itself. */
  async *#runTools(
    calls: readonly ToolCallPart[],
    batch: BatchHost,
    settled?: (call: ToolCallPart) => ToolResultPart | undefined,
    final = false,
  ): AsyncGenerator<LoopEvent, void> {
    const known: ToolOutcome[] = []
    const toRun: ToolCallPart[] = []
    for (const call of calls) {
      const result = settled?.(call)
      if (result) known.push({ call, result, ms: 0, waitedMs: 0 })
      else toRun.push(call)
    }
    const results = new Map<string, ToolResultPart>()
    let left = calls.length
    const note = (outcome: ToolOutcome): LoopEvent => {
      const verdict = this.#detector.note(outcome.call, outcome.result)
      if (verdict === 'end') this.#isCircling = true
      left--
      const notes = [verdict === 'fresh' ? '' : REPEATED, left === 0 && (final || this.#isCircling) ? ANSWER_NOW : '']
        .filter(Boolean)
        .join('\n')
      const result = notes ? withNote(outcome.result, notes) : outcome.result
      results.set(outcome.call.id, result)
      return { type: 'tool-end', ...outcome, result }
    }
    for (const outcome of known) yield note(outcome)
    if (toRun.length)
      for await (const event of runBatch(toRun, batch)) yield event.type === 'tool-end' ? note(event) : event
    // In the order of the calls, so that the same conversation gives the same bytes.
    const content = calls.map(({ id }) => results.get(id)).filter((result) => result !== undefined)
    if (content.length) this.#add({ role: 'tool', content })
  }

  /** Adds waiting messages to the conversation. Returns whether there were any. */
  async *#take(why: 'steering' | 'follow-up'): AsyncGenerator<LoopEvent, boolean> {
    const queue: MessageQueue | undefined = why === 'steering' ? this.#options.steering : this.#options.followUps
    let message = (why === 'steering' ? this.#steered : undefined) ?? queue?.next()
    if (why === 'steering') this.#steered = undefined
    if (!message) return false
    for (; message; message = queue?.mode === 'all' ? queue.next() : undefined) {
      this.#add(message)
      yield { type: 'user', message, why }
    }
    return true
  }

  *#takeNotes(): Generator<LoopEvent> {
    if (this.#stopping.stopped) return
    for (let message = this.#options.notes?.next(); message; message = this.#options.notes?.next()) {
      this.#add(message)
      yield { type: 'note', message }
    }
  }

  /** Adds messages that came too late to steer. Returns whether there were any. */
  async *#takeLate(): AsyncGenerator<LoopEvent, boolean> {
    this.#hasLate = (yield* this.#take('steering')) || (yield* this.#take('follow-up'))
    return this.#hasLate
  }

  #add(message: ModelMessage): void {
    this.#messages.push(message)
    this.#added.push(message)
  }

  #failed(error: unknown): LoopEnd {
    if (this.#stopping.stopped) return this.#end('aborted')
    const known = isModelError(error) ? error : asModelError(error)
    if (known.class === 'aborted') return this.#end('aborted')
    return this.#end(known.class === 'refusal' ? 'refusal' : 'error', known)
  }

  /** Returns the last event. */
  #end(reason: LoopEndReason, error?: ModelError): LoopEnd {
    this.#isOver = true
    return {
      type: 'end',
      reason,
      text: this.#text,
      messages: this.#added,
      usage: this.#usage ?? NO_USAGE,
      steps: this.#steps,
      ...(error ? { error } : {}),
    }
  }
}

/** Returns the event that a part is passed on as, if any. Calls and files are in the message at the end. */
function eventOf(part: ModelPart): LoopEvent | undefined {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'tool-input':
    case 'waiting':
    case 'fallback':
      return part
    case 'start':
      return { type: 'model', provider: part.provider, model: part.model }
    default:
      return undefined
  }
}

/** Returns the results of calls that were cut off, if the answer was too long. */
const cutOff = (reason: FinishReason): ((call: ToolCallPart) => ToolResultPart) | undefined =>
  reason === 'length' ? (call) => errorResult(call, CUT_OFF) : undefined

/** @throws {@link ModelError} when the stream had no end */
function assertFinished(finish: Finish | undefined): asserts finish is Finish {
  if (!finish) throw new ModelError('server', 'The answer has no end')
}

/** Returns whether an answer ends the loop although it is incomplete. */
const isBroken = <T extends { readonly reason: FinishReason }>(
  answer: T,
): answer is T & { readonly reason: 'interrupted' | 'refusal' } =>
  answer.reason === 'interrupted' || answer.reason === 'refusal'

/** Returns the message without its calls, which will not run. No open call may stay in the conversation. */
function withoutCalls(message: AssistantMessage): AssistantMessage {
  if (typeof message.content === 'string' || toolCallsOf(message).length === 0) return message
  return { ...message, content: message.content.filter((part) => part.type !== 'tool-call') }
}
