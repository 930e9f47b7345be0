// The agent loop: ask the model, run the tools that it calls, ask again, until it answers. It does no I/O of its own and throws
// nothing: everything that happens is an event, and the last event is its end.
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
import type { Finish, ModelRequest, Usage } from '../api/models.js'
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

/** See `agentLoop`. */
export function runLoop(options: LoopOptions): AsyncGenerator<LoopEvent, void> {
  return new Loop(options).run()
}

class Loop {
  readonly #options: LoopOptions
  readonly #messages: ModelMessage[]
  readonly #added: ModelMessage[] = []
  readonly #stopping = new Stop()
  readonly #detector = new LoopDetector()
  readonly #batch: BatchHost
  #usage: Usage | undefined
  #steps = 0
  #text = ''
  /** Steering that a launch of tools has found. */
  #steered: UserMessage | undefined

  constructor(options: LoopOptions) {
    const { clock = systemClock, toolTimeout = 120_000, parallel = 8, maxResultChars = 100_000, log, redact } = options
    this.#options = options
    this.#messages = [...options.messages]
    this.#batch = {
      clock,
      toolTimeout,
      parallel: Math.max(1, parallel),
      maxResultChars,
      stopping: this.#stopping,
      running: new Set(),
      tools: toolSetOf(options.tools),
      interrupted: () => (this.#steered ??= options.steering?.next()) !== undefined,
      surroundings: (call) => options.surroundings?.(call) ?? defaultCallContext(log),
      redact: (text) => (redact ? redact(text) : text),
    }
  }

  /**
   * One generator for the whole of it: each further one that a part passes through costs more than the part itself.
   */
  async *run(): AsyncGenerator<LoopEvent, void> {
    const { signal, stream } = this.#options
    const { tools } = this.#batch
    const stopping = this.#stopping
    const budget = (): number => this.#options.maxSteps ?? (tools.definitions.length ? 15 : 1)
    const stop = (): void => this.#stop(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    let over = false
    try {
      yield* this.#begin()
      let looping = false
      for (let index = 0; ; index++) {
        if (this.#steered || this.#options.steering) yield* this.#take('steering')
        if (this.#stopping.stopped) break
        const last = looping || index + 1 >= budget()
        yield { type: 'step', index: this.#steps++, last }
        let finish: Finish | undefined
        for await (const part of stream(await this.#request(last), {
          get signal() {
            return stopping.signal
          },
        })) {
          switch (part.type) {
            case 'text':
            case 'reasoning':
            case 'tool-input':
            case 'fallback':
              yield part
              break
            case 'start':
              yield { type: 'model', provider: part.provider, model: part.model }
              break
            case 'finish':
              finish = part
          }
          if (finish) break
        }
        if (!finish) throw new ModelError('server', 'The answer has no end')
        const { message, reason, usage, provider, model } = finish
        this.#usage = addStepUsage(this.#usage, usage)
        const kept = last || reason === 'refusal' || reason === 'interrupted' ? withoutCalls(message) : message
        this.#text = textOf(kept)
        if (kept.content.length) this.#add(kept)
        yield { type: 'assistant', message: kept, reason, usage, provider, model }
        if (this.#stopping.stopped) break
        if (reason === 'interrupted' || reason === 'refusal') {
          over = true
          yield this.#end(reason, finish.error)
          return
        }
        const calls = toolCallsOf(kept)
        if (calls.length) {
          const circling: boolean = yield* this.#runTools(
            calls,
            reason === 'length' ? (call) => errorResult(call, CUT_OFF) : undefined,
            index + 2 >= budget(),
          )
          looping ||= circling
          continue
        }
        const why = looping ? 'loop' : last && tools.definitions.length ? 'max-steps' : 'answer'
        // What was said too late to steer is answered as well, in steps of its own.
        if (!(yield* this.#take('steering')) && !(yield* this.#take('follow-up'))) {
          over = true
          yield this.#end(why)
          return
        }
        index = -1
        looping = false
      }
      over = true
      yield this.#end('aborted')
    } catch (error) {
      if (over) throw error
      over = true
      const end = this.#failed(error)
      // What failed may be the host beside tools that still run.
      this.#stop(error)
      yield end
    } finally {
      signal?.removeEventListener('abort', stop)
      // Left in the middle: what runs is stopped. At the end nothing runs.
      if (!over) this.#stop(undefined)
    }
  }

  #stop(reason: unknown): void {
    this.#stopping.stop(reason)
    for (const each of this.#batch.running) each(reason)
  }

  /** Settles what an earlier run has left open, and runs what is to run before the first step. */
  async *#begin(): AsyncGenerator<LoopEvent, void> {
    const open = openCallsOf(this.#messages)
    const { settle, hadNotBegun } = this.#options
    if (open.length)
      yield* this.#runTools(
        open,
        (call) =>
          settle?.(call) ?? (hadNotBegun?.(call) ? undefined : unknownOutcome(call, this.#batch.tools.find(call.name))),
      )
    const wanted = this.#options.preExecute
    if (!wanted?.length || open.length || this.#stopping.stopped) return
    const done = await preExecute(wanted, this.#messages, this.#batch, this.#options.preExecTimeout ?? 15_000)
    if (!done) return
    this.#messages[done.index] = done.message
    yield { type: 'pre-executed', outcomes: done.outcomes, message: done.message }
  }

  /** What is asked of the model in the coming step. */
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
      // The tools stay in the last request too: without them the prefix would be another.
      ...(definitions.length ? { tools: definitions, ...(last ? { toolChoice: 'none' as const } : {}) } : {}),
    }
  }

  /** Runs calls and stores their results; answers whether the model goes in circles. */
  async *#runTools(
    calls: readonly ToolCallPart[],
    settled?: (call: ToolCallPart) => ToolResultPart | undefined,
    final = false,
  ): AsyncGenerator<LoopEvent, boolean> {
    const known: ToolOutcome[] = []
    const toRun: ToolCallPart[] = []
    for (const call of calls) {
      const result = settled?.(call)
      if (result) known.push({ call, result, ms: 0, waitedMs: 0 })
      else toRun.push(call)
    }
    const results = new Map<string, ToolResultPart>()
    let left = calls.length
    let circling = false
    const note = (outcome: ToolOutcome): LoopEvent => {
      const verdict = this.#detector.note(outcome.call, outcome.result)
      circling ||= verdict === 'end'
      left--
      const notes = [verdict === 'fresh' ? '' : REPEATED, left === 0 && (final || circling) ? ANSWER_NOW : '']
        .filter(Boolean)
        .join('\n')
      const result = notes ? withNote(outcome.result, notes) : outcome.result
      results.set(outcome.call.id, result)
      return { type: 'tool-end', ...outcome, result }
    }
    for (const outcome of known) yield note(outcome)
    if (toRun.length)
      for await (const event of runBatch(toRun, this.#batch)) yield event.type === 'tool-end' ? note(event) : event
    // In the order of the calls, whatever came first: the same conversation gives the same bytes.
    const content = calls.map(({ id }) => results.get(id)).filter((result) => result !== undefined)
    if (content.length) this.#add({ role: 'tool', content })
    return circling
  }

  /** Takes waiting messages into the conversation. */
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

  #end(reason: LoopEndReason, error?: ModelError): LoopEnd {
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

/** The message without calls that will not be run: nothing open may stay in the conversation. */
function withoutCalls(message: AssistantMessage): AssistantMessage {
  if (typeof message.content === 'string' || toolCallsOf(message).length === 0) return message
  return { ...message, content: message.content.filter((part) => part.type !== 'tool-call') }
}
