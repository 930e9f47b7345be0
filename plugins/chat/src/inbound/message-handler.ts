import { messageOf, toError, type BaseContext, type HostControl, type Reader } from '@mynah/kernel'
import { messageReceive, middlewares, type Middleware } from '../api/points.js'
import type { Dispatcher } from '../dispatcher.js'
import type { InboundStates, StartResult } from '../store/inbound-states.js'
import type { Telemetry } from '../telemetry.js'
import type { ActiveMessages } from './active-messages.js'
import type { AnswerRouter } from './answer-router.js'
import { MiddlewareRun, type OwnedMiddleware } from './middleware-run.js'
import type { ReceivedMessage } from './received-message.js'

/** Handles one message: middlewares, then an open question or the dispatcher, then the hook `message.receive`. */
export class MessageHandler {
  readonly #ctx: BaseContext<unknown>
  readonly #host: HostControl
  readonly #telemetry: Telemetry
  readonly #states: InboundStates
  readonly #active: ActiveMessages
  readonly #answers: AnswerRouter
  readonly #dispatcher: Dispatcher
  readonly #middlewares: Reader<Middleware>
  /** Middlewares by descending priority, sorted again when they change. */
  #ordered: readonly OwnedMiddleware[] = []
  #revision = -1

  constructor(
    ctx: BaseContext<unknown>,
    host: HostControl,
    telemetry: Telemetry,
    states: InboundStates,
    active: ActiveMessages,
    answers: AnswerRouter,
    dispatcher: Dispatcher,
  ) {
    this.#ctx = ctx
    this.#host = host
    this.#telemetry = telemetry
    this.#states = states
    this.#active = active
    this.#answers = answers
    this.#dispatcher = dispatcher
    this.#middlewares = ctx.read(middlewares)
  }

  /** Handles a message, unless its row cannot be marked or another call handles it. Never rejects. */
  async handle(message: ReceivedMessage): Promise<StartResult> {
    const { trace, stored } = message
    this.#active.add(message)
    try {
      if (stored) {
        const starting = this.#states.start(message)
        const result = starting instanceof Promise ? await starting : starting
        if (result !== 'started') return this.#skip(message, result)
      }
      await this.#run(message)
    } catch (thrown) {
      this.#states.reattach(message)
      trace.step('handling', '', 'failed', messageOf(thrown))
      this.#telemetry.counters.errors++
      this.#ctx.log.error(`failed to handle a message: ${messageOf(thrown)}`, {
        adapter: message.adapter,
        endpoint: message.endpoint,
        messageId: message.id,
      })
    }
    this.#ctx.emit(messageReceive, message)
    await this.#states.finish(message)
    trace.release()
    this.#active.delete(message)
    return 'started'
  }

  /** Leaves a message to the call that handles it, or to the time when the store is available again. */
  #skip(message: ReceivedMessage, result: StartResult): StartResult {
    if (result === 'taken') message.trace.step('handling', '', 'skipped', 'the message is or was being handled already')
    message.trace.release()
    this.#active.delete(message)
    return result
  }

  async #run(message: ReceivedMessage): Promise<void> {
    if (this.#revision !== this.#middlewares.revision) {
      this.#revision = this.#middlewares.revision
      this.#ordered = [...this.#middlewares.all()].sort((a, b) => (b.value.priority ?? 0) - (a.value.priority ?? 0))
    }
    const run = new MiddlewareRun(this.#ordered, message, () => this.#route(message))
    message.currentStep = () => run.currentStep
    try {
      await run.start()
    } catch (error) {
      const failed = await run.findFailed()
      if (failed) {
        message.trace.step('middleware', failed.value.name, 'failed', messageOf(error))
        this.#host.report(failed.owner, toError(error))
      }
      throw error
    }
    if (run.stoppedBy) message.trace.step('middleware', run.stoppedBy.value.name, 'stopped', 'did not call next')
  }

  async #route(message: ReceivedMessage): Promise<void> {
    if (this.#ordered.length) message.trace.step('middleware', `${this.#ordered.length}`, 'passed')
    const taken = this.#answers.take(message)
    if (taken instanceof Promise ? await taken : taken) return
    await this.#dispatcher.dispatch(message)
  }
}
