// Runs one call of a tool within its deadline. It always has a result.
import { messageOf, type Clock } from '@mynah/kernel'
import { Deadline } from '../api/deadline.js'
import type { ToolCallContext, LoopEvent, ToolOutcome } from '../api/loop.js'
import type { ToolCallPart, ToolResultPart } from '../api/messages.js'
import type { Tool, ToolCall } from '../api/tools.js'
import type { Stop } from '../stream/stop.js'
import { copyJson } from './arguments.js'
import { errorResult, resultOf } from './results.js'
import { checkOf } from './schemas.js'

/** The parts of the loop that a running call needs. */
export interface CallHost {
  readonly clock: Clock
  readonly stopping: Stop
  /** Stops the calls that run. Cheaper than a listener for each. */
  readonly running: Set<(reason: unknown) => void>
  readonly maxResultChars: number
  readonly toolTimeout: number
  /** The longest timeout of a call in milliseconds, whatever its tool wants. */
  readonly maxTimeout?: number
  tell(event: LoopEvent): void
  /** Called when a call begins (`true`) or ends to wait. A waiting call does not count as running. */
  waiting(waits: boolean): void
  callContext(call: ToolCallPart): ToolCallContext
  redact(text: string): string
}

class Stopped extends Error {}

/** The context of one call. Its signal is created on first use. */
class Running implements ToolCall {
  readonly #host: CallHost
  readonly #call: ToolCallPart
  readonly #callContext: ToolCallContext
  readonly #deadline: Deadline
  #abort: AbortController | undefined
  #reason: unknown
  #done = false

  constructor(host: CallHost, call: ToolCallPart, deadline: Deadline) {
    this.#host = host
    this.#call = call
    this.#deadline = deadline
    this.#callContext = host.callContext(call)
  }

  get roles() {
    return this.#callContext.roles
  }
  get origin() {
    return this.#callContext.origin
  }
  get session() {
    return this.#callContext.session
  }
  get turn() {
    return this.#callContext.turn
  }
  get subagent() {
    return this.#callContext.subagent
  }
  get log() {
    return this.#callContext.log
  }
  get id() {
    return this.#call.id
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.#reason !== undefined) this.#abort.abort(this.#reason)
    return this.#abort.signal
  }

  readonly progress = (text: string): void => {
    if (!this.#done)
      this.#host.tell({ type: 'tool-progress', id: this.#call.id, name: this.#call.name, text: String(text) })
  }

  readonly wait = async <T>(kind: string, id: string, done: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const tell = (waiting: boolean): void => {
      if (waiting) this.#deadline.pause()
      else this.#deadline.resume()
      this.#host.waiting(waiting)
      this.#host.tell({ type: 'tool-wait', id: this.#call.id, name: this.#call.name, kind, waitId: id, waiting })
    }
    if (this.#done) throw new Stopped('The call is over')
    tell(true)
    try {
      return await this.#callContext.wait(kind, id, done)
    } finally {
      if (!this.#done) tell(false)
    }
  }

  readonly ask = (question: string, options?: { readonly choices?: readonly string[] }): Promise<string> =>
    this.wait('question', this.#call.id, () => this.#callContext.ask(question, options))

  stop(reason: unknown): void {
    this.#reason = reason
    this.#abort?.abort(reason)
  }

  end(): void {
    this.#done = true
  }
}

/**
 * Runs a call to its result. Never rejects and never outlives its deadline. Resolves to `undefined` when the loop is
 * stopped: the call stays open.
 */
export async function runCall(
  host: CallHost,
  call: ToolCallPart,
  tool: Tool,
  gone: AbortSignal | undefined,
): Promise<ToolOutcome | undefined> {
  const started = host.clock.now()
  const outcome = (result: ToolResultPart, waitedMs = 0): ToolOutcome => ({
    call,
    result,
    ms: host.clock.now() - started,
    waitedMs,
  })
  const known = checkOf(tool.parameters)
  const check = typeof known === 'function' ? known : await known
  const input = copyJson(call.input)
  const mistake = call.invalid ?? check(input)
  if (mistake !== undefined)
    return outcome(
      errorResult(
        call,
        `The arguments do not fit ${call.name}: ${mistake}. Call it again with arguments that fit its schema.`,
      ),
    )

  const timeout = Math.min(tool.timeout ?? host.toolTimeout, host.maxTimeout ?? Infinity)
  return new Promise<ToolOutcome | undefined>((resolve) => {
    let over = false
    const finish = (result: ToolResultPart | undefined, stopped?: unknown): void => {
      if (over) return
      over = true
      deadline.stop()
      host.running.delete(onAbort)
      gone?.removeEventListener('abort', onGone)
      const { waitedMs } = deadline
      running?.end()
      if (stopped !== undefined) running?.stop(stopped)
      resolve(result && outcome(result, waitedMs))
    }
    const stop = (text: string): void => finish(errorResult(call, text), new Stopped(text))
    const onAbort = (reason: unknown): void => finish(undefined, reason ?? new Stopped('The turn was stopped'))
    const onGone = (): void =>
      stop(`The tool ${call.name} was removed while it ran; what it did until then is unknown.`)
    const deadline = new Deadline(host.clock, timeout, () =>
      stop(`${call.name} did not end within ${timeout / 1000} s and was stopped; what it did until then is unknown.`),
    )
    let running: Running | undefined
    const failed = (error: unknown): void =>
      finish(errorResult(call, `${call.name} failed: ${host.redact(messageOf(error))}`))
    host.running.add(onAbort)
    gone?.addEventListener('abort', onGone, { once: true })
    if (host.stopping.stopped) return onAbort(host.stopping.reason)
    if (gone?.aborted) return onGone()
    try {
      running = new Running(host, call, deadline)
      const output = tool.run(input as never, running)
      if (typeof (output as PromiseLike<unknown> | undefined)?.then === 'function')
        (output as PromiseLike<unknown>).then((value) => settle(value), failed)
      else settle(output)
    } catch (error) {
      failed(error)
    }
    function settle(value: unknown): void {
      try {
        finish(resultOf(call, value, host.maxResultChars))
      } catch (error) {
        // JSON cannot hold the value, or reading it throws.
        failed(error)
      }
    }
  })
}
