// Handling one message: the mark in the store, middlewares, dispatcher, the end, and the hook after the fact.
import { messageOf, toError, type HostControl, type Logger, type Reader } from '@mynah/kernel'
import type { Middleware } from '../api/points.js'
import type { InboundRecord, MessageStore } from '../api/store.js'
import type { Dispatcher } from '../dispatcher.js'
import type { ReceivedMessage } from './received-message.js'
import { MiddlewareRun, type OwnedMiddleware } from './middleware-run.js'
import type { PlainAnswers } from './plain-answers.js'
import type { Prompts } from './prompts.js'
import type { SlowWatch } from './slow-watch.js'

export interface HandlingDeps {
  readonly store: () => MessageStore | undefined
  readonly middlewares: Reader<Middleware>
  readonly dispatcher: Dispatcher
  readonly prompts: Prompts
  readonly answers: PlainAnswers
  readonly watch: SlowWatch
  readonly host: HostControl
  readonly log: Logger
  readonly counters: { errors: number }
  /** Tells the hook `message.receive`. */
  readonly finished: (message: ReceivedMessage) => void
}

export class MessageHandler {
  readonly #deps: HandlingDeps
  #ordered: readonly OwnedMiddleware[] = []
  #revision = -1
  #idle: (() => void)[] = []

  constructor(deps: HandlingDeps) {
    this.#deps = deps
  }

  /** Whether a question waits for this message: its answer must not wait behind those who wait for it. */
  isAwaited(record: InboundRecord): boolean {
    return this.#deps.prompts.isAwaited(record)
  }

  /** Rows of the messages that are handled now. */
  rows(): ReadonlySet<string> {
    return new Set(this.#deps.watch.all().map(({ record }) => record.id))
  }

  /** Handles a message. Never rejects. */
  async handle(message: ReceivedMessage): Promise<void> {
    const { trace, stored } = message
    const { watch } = this.#deps
    watch.add(message)
    try {
      if (stored) {
        const marked = this.#mark(message)
        if (marked instanceof Promise) await marked
      }
      await this.#run(message)
    } catch (thrown) {
      // Who failed may have handed over in a transaction that was rolled back with it.
      if (message.completion === 'handed over') message.completion = 'open'
      trace.step('handling', '', 'failed', messageOf(thrown))
      this.#deps.counters.errors++
      this.#deps.log.error(`handling a message failed: ${messageOf(thrown)}`, {
        adapter: message.adapter,
        endpoint: message.endpoint,
        messageId: message.id,
      })
    }
    this.#deps.finished(message)
    if (stored && message.completion === 'open') await this.#end(message)
    watch.delete(message)
    trace.release()
    if (watch.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** Resolves when nothing is handled. */
  idle(): Promise<void> {
    return this.#deps.watch.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#idle.push(resolve)
        })
  }

  async #end(message: ReceivedMessage): Promise<void> {
    try {
      await this.#deps.store()?.finishHandling(message.record.id)
    } catch (error) {
      this.#deps.log.warn(`a handled message could not be marked: ${messageOf(error)}`, { messageId: message.id })
    }
  }

  /** Says to the store that handling begins. What was accepted is handled even where the store went away since. */
  #mark(message: ReceivedMessage): void | Promise<void> {
    const unmarked = (error: unknown): void => message.trace.step('store', 'handling', 'unmarked', messageOf(error))
    try {
      const marking = this.#deps.store()?.startHandling(message.record.id)
      return marking instanceof Promise ? marking.catch(unmarked) : undefined
    } catch (error) {
      return unmarked(error)
    }
  }

  async #run(message: ReceivedMessage): Promise<void> {
    const { middlewares } = this.#deps
    if (this.#revision !== middlewares.revision) {
      this.#revision = middlewares.revision
      this.#ordered = [...middlewares.all()].sort((a, b) => (b.value.priority ?? 0) - (a.value.priority ?? 0))
    }
    const chain = new MiddlewareRun(this.#ordered, message, () => this.#dispatch(message))
    message.currentStep = () => chain.current
    try {
      await chain.run(0)
    } catch (error) {
      const culprit = await chain.culprit()
      if (culprit) {
        message.trace.step('middleware', culprit.value.name, 'failed', messageOf(error))
        this.#deps.host.report(culprit.owner, toError(error))
      }
      throw error
    }
    if (chain.stoppedBy) message.trace.step('middleware', chain.stoppedBy.value.name, 'stopped', 'did not call next')
  }

  async #dispatch(message: ReceivedMessage): Promise<void> {
    if (this.#ordered.length) message.trace.step('middleware', `${this.#ordered.length}`, 'passed')
    // A command is meant as one, also while a question waits: its owner must be able to approve, or to ask for help.
    if (this.#deps.prompts.isAwaited(message.record) && !this.#deps.dispatcher.isCommand(message)) {
      this.#deps.prompts.answer(message.record)
      message.trace.step('prompt', '', 'answered', 'a command was waiting for this answer')
      return
    }
    if (await this.#deps.answers.take(message)) return
    await this.#deps.dispatcher.dispatch(message)
  }
}
