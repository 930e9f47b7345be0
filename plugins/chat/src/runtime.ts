// Puts the parts of chat together and ties them to the plugin's context.
import { messageOf, type BaseContext, type HostControl, type Ref } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import { publish, type Publication } from '@mynah/plugin-events/api'
import type { Locale } from './api/languages.js'
import {
  adapters,
  aiPaths,
  awaiting,
  beforeSendMessage,
  commands,
  components,
  endpointChanged,
  messageReceive,
  messageSend,
  middlewares,
  noticeReceive,
  requestReceive,
  roleGrants,
  type Outgoing,
} from './api/points.js'
import type { Receipt } from './api/message.js'
import type { Renderer } from './api/renderer.js'
import type { EndpointKey, InboundRecord, MessageStore } from './api/store.js'
import { ActivityLog } from './activity.js'
import { CommandRunner } from './commands/runner.js'
import type { CommandsConfig, DispatcherConfig, EndpointConfig } from './config.js'
import { Transmitter } from './outbound/transmitter.js'
import { Dispatcher } from './dispatcher.js'
import { Drafts } from './outbound/drafts.js'
import { Endpoints } from './endpoints/endpoints.js'
import type { Endpoint, EndpointEvents } from './endpoints/endpoint.js'
import { inboundEvent, noticeEvent, outboundEvent, requestEvent } from './stream-events.js'
import { MediaFetcher } from './endpoints/media-fetcher.js'
import { MessageHandler } from './inbound/message-handler.js'
import { MemoryMessageStore } from './store/memory-store.js'
import { ReceivedMessage, type MessageActions } from './inbound/received-message.js'
import type { Mutable } from './util/mutable.js'
import { PlainAnswers } from './inbound/plain-answers.js'
import { ContentBuilder } from './outbound/content-builder.js'
import { ContentAdapter } from './outbound/content-adapter.js'
import { Prompts } from './inbound/prompts.js'
import { Receiver } from './inbound/receiver.js'
import { Recovery } from './recovery.js'
import { rolesOf } from './roles.js'
import { Sender, type AnswerOptions, type SendRequest } from './outbound/sender.js'
import { SlowWatch } from './inbound/slow-watch.js'
import { TraceBuilder, Traces } from './traces.js'

export interface ChatConfig {
  readonly endpoints: readonly EndpointConfig[]
  readonly dispatcher: DispatcherConfig
  readonly commands: CommandsConfig
}

export class ChatRuntime {
  readonly #ctx: BaseContext<unknown>
  readonly #durable: Ref<MessageStore>
  readonly #memory: MemoryMessageStore
  readonly #recovery: Recovery
  /** Messages that somebody else answers, by row. */
  readonly #handedOver = new Map<string, ReceivedMessage>()
  readonly #actions: MessageActions
  readonly #handling: MessageHandler
  readonly #watch: SlowWatch
  readonly #grants
  readonly counters = { received: 0, sent: 0, errors: 0, duplicates: 0, unsaved: 0, failed: 0, unknown: 0 }
  readonly traces: Traces
  readonly activity: ActivityLog
  readonly prompts: Prompts
  readonly endpoints: Endpoints
  readonly runner: CommandRunner
  readonly dispatcher: Dispatcher
  readonly sending: Sender
  readonly drafts: Drafts
  readonly fetching: MediaFetcher
  readonly receiving: Receiver
  config: ChatConfig

  constructor(
    ctx: BaseContext<unknown>,
    config: ChatConfig,
    host: HostControl,
    durable: Ref<MessageStore>,
    showing: { readonly renderer: Ref<Renderer>; readonly media: string | undefined },
  ) {
    this.#ctx = ctx
    this.config = config
    this.#durable = durable
    const now = (): number => ctx.clock.now()
    const store = (): MessageStore | undefined => this.activeStore()
    const publishes = (event: Publication): void => ctx.emit(publish, event)
    const sent = (outgoing: Outgoing & Receipt): void => ctx.emit(messageSend, outgoing)
    const find = (adapter: string, id: string): Endpoint | undefined => this.endpoints.find(adapter, id)
    this.#memory = ctx.keep('memory-store', () => new MemoryMessageStore(publishes, now))
    this.traces = ctx.keep('traces', () => new Traces())
    this.activity = ctx.keep('activity', () => new ActivityLog(now))
    this.prompts = new Prompts(ctx.clock)
    this.#grants = ctx.read(roleGrants)
    const registered = ctx.read(adapters)
    this.endpoints = new Endpoints({
      adapters: registered,
      clock: ctx.clock,
      log: ctx.log,
      events: (endpoint) => this.#eventsOf(endpoint),
      removed: (endpoint) => this.#removed(endpoint),
    })
    registered.watch(() => this.endpoints.adaptersChanged())
    this.#watch = new SlowWatch({
      clock: ctx.clock,
      slowAfter: () => this.config.commands.slowAfter,
      tell: (message, seconds) => {
        message.trace.step('handling', '', 'slow', `${message.currentStep()} has not ended after ${seconds} s`)
        ctx.log.warn(`${message.currentStep()} has been running for ${seconds} s`, {
          adapter: message.adapter,
          endpoint: message.endpoint,
          messageId: message.id,
        })
      },
    })
    this.runner = new CommandRunner({
      commands: ctx.read(commands),
      config: () => this.config.commands,
      selfId: (message) => find(message.adapter, message.endpoint)?.self.id,
      host,
      now,
      expect: (message, seconds) => this.#watch.setSlowAfter(message, seconds),
    })
    const preparing = new ContentBuilder({
      components: ctx.read(components),
      before: (outgoing) =>
        ctx.hasListeners(beforeSendMessage)
          ? ctx.waterfall(beforeSendMessage, outgoing, (passed) => passed)
          : undefined,
    })
    const presenting = new ContentAdapter({
      renderer: () => showing.renderer.current,
      media: showing.media,
      log: ctx.log,
    })
    const delivering = new Transmitter({
      store,
      find,
      presenting,
      publish: publishes,
      sent,
      log: ctx.log,
      counters: this.counters,
      event: (record, outcome) => (ctx.hasListeners(publish) ? outboundEvent(record, outcome) : undefined),
      waits: (record) => this.#recovery.waits(record),
      counted: (record, { state }) => this.activity.count(record, state === 'sent' ? 'sent' : 'failed'),
    })
    this.sending = new Sender({ store, preparing, delivering, now, log: ctx.log, counters: this.counters })
    this.drafts = new Drafts({ store, preparing, presenting, delivering, find, sent, clock: ctx.clock, log: ctx.log })
    this.fetching = new MediaFetcher({
      find: (adapter, id) => (this.endpoints.isExpected(adapter, id) ? undefined : this.endpoints.get(adapter, id)),
      clock: ctx.clock,
      log: ctx.log,
    })
    this.dispatcher = new Dispatcher({
      runner: this.runner,
      aiPaths: ctx.read(aiPaths),
      config: () => this.config.dispatcher,
      host,
      log: ctx.log,
      start: (message, content, request) =>
        this.sending.start(
          this.endpoints.get(message.adapter, message.endpoint),
          message.channel,
          content,
          this.requestOf(message, request),
        ),
      contextWanted: () => ctx.hasListeners(beforeSendMessage),
    })
    this.#actions = this.#makeActions()
    const answers = new PlainAnswers({
      awaiting: ctx.read(awaiting),
      host,
      isCommand: (message) => this.dispatcher.isCommand(message),
      rows: ({ adapter, endpoint, channel }, limit) =>
        this.activeStore()?.transcript({ adapter, endpoint, channel, limit }) ?? [],
    })
    this.#handling = new MessageHandler({
      store,
      middlewares: ctx.read(middlewares),
      dispatcher: this.dispatcher,
      prompts: this.prompts,
      answers,
      watch: this.#watch,
      host,
      log: ctx.log,
      counters: this.counters,
      finished: (message) => {
        // Of what somebody else answers it is counted when that has ended.
        if (message.completion !== 'handed over' && message.trace.replies > 0)
          this.activity.addAnswerTime(message.trace.durationMs)
        ctx.emit(messageReceive, message)
      },
    })
    this.receiving = new Receiver({
      store,
      handling: this.#handling,
      traces: this.traces,
      actions: this.#actions,
      clock: ctx.clock,
      log: ctx.log,
      counters: this.counters,
      publish: publishes,
      event: (record) => (ctx.hasListeners(publish) ? inboundEvent(record) : undefined),
      counted: (record) => this.activity.count(record, 'received'),
    })
    this.#recovery = new Recovery({
      store,
      clock: ctx.clock,
      log: ctx.log,
      receiving: this.receiving,
      sending: this.sending,
      endpoints: this.endpoints,
    })
    durable.onChange((found) => {
      if (found) this.#recovery.all()
    })
  }

  #makeActions(): MessageActions {
    const runtime = this
    return {
      reply: async (message, content) => {
        message.trace.replies++
        return this.sending.send(
          this.endpoints.get(message.adapter, message.endpoint),
          message.channel,
          content,
          this.requestOf(message),
        )
      },
      prompt: (message, timeout) => this.prompts.ask(message.record, timeout),
      cancelPrompt: (message) => this.prompts.cancel(message.record),
      detach: async (message) => {
        if (message.completion === 'handed over') return
        if (message.stored) await this.readableStore().finishHandling(message.record.id)
        message.completion = 'handed over'
        message.trace.hold()
        this.#handedOver.set(message.record.id, message)
      },
      done: (message) => {
        if (!this.#handedOver.delete(message.record.id)) return
        message.trace.release()
        if (message.trace.replies > 0) this.activity.addAnswerTime(message.trace.durationMs)
      },
      rolesOf: ({ adapter, endpoint, sender, record }) =>
        this.rolesOf(adapter, endpoint, sender.id, record.sender.role),
      get locale(): Locale {
        return runtime.config.commands.locale
      },
    }
  }

  /** How a message is answered: in its own conversation, kept with it. */
  requestOf({ row, id, trace }: ReceivedMessage, { key, polish, ends }: AnswerOptions = {}): SendRequest {
    const request: Mutable<SendRequest> = { replyTo: id, trace }
    if (key !== undefined) request.key = key
    if (row !== undefined) request.answers = row
    if (polish) request.polish = polish
    if (ends) request.ends = ends
    return request
  }

  /** The inbound message of a row: the one that was handed over, else made anew of what is stored. */
  async message(row: string): Promise<ReceivedMessage | undefined> {
    const live = this.#handedOver.get(row)
    if (live) return live
    const record = await this.readableStore().findInbound(row)
    if (!record) return undefined
    const trace = new TraceBuilder(record, this.#ctx.clock.now())
    trace.step('store', 'recover', 'found', 'handed over before the last stop')
    this.traces.add(trace)
    const message = new ReceivedMessage(record, true, trace, this.#actions)
    message.completion = 'handed over'
    this.#handedOver.set(row, message)
    return message
  }

  rolesOf(
    adapter: string,
    endpoint: string,
    userId: string,
    group?: InboundRecord['sender']['role'],
  ): ReturnType<typeof rolesOf> {
    const grants = this.#grants.all()
    const granted =
      grants.length === 0 ? undefined : grants.flatMap(({ value }) => value.roles(adapter, endpoint, userId))
    return rolesOf(this.endpoints.find(adapter, endpoint)?.config, userId, group, granted)
  }

  /** The durable store where one is declared, even while it is away; else the memory. */
  activeStore(): MessageStore | undefined {
    return this.#durable.current ?? (this.#durable.declared ? undefined : this.#memory)
  }

  /** The store for reading, or `not_ready`. */
  readableStore(): MessageStore {
    const store = this.activeStore()
    if (!store) throw new WireError('not_ready', 'The message store is not ready')
    return store
  }

  /** Lets end what has begun: nothing new comes in, handlers end, outboxes empty. What stands in a durable store waits for the next start. */
  async drain(): Promise<void> {
    this.receiving.drain()
    const outboxes = (): Promise<unknown> => Promise.all(this.endpoints.all().map(({ outbox }) => outbox.idle()))
    do {
      await this.#handling.idle()
      await outboxes()
    } while (this.#watch.size > 0)
  }

  close(): void {
    this.prompts.close()
    this.#watch.close()
    this.#recovery.close()
  }

  #keyOf({ adapter, id }: Endpoint): EndpointKey {
    return { adapter, endpoint: id }
  }

  #removed(endpoint: Endpoint): void {
    this.#ctx.emit(endpointChanged, { ...this.#keyOf(endpoint), status: 'removed' as const })
    if (!this.endpoints.find(endpoint.adapter, endpoint.id)) this.activity.forget(this.#keyOf(endpoint))
  }

  #changed(endpoint: Endpoint): void {
    const key = this.#keyOf(endpoint)
    const { status, error } = endpoint
    this.#ctx.emit(endpointChanged, { ...key, status: endpoint.status })
    this.activity.setStatus(key, status)
    const change = {
      at: this.#ctx.clock.now(),
      status,
      ...(status === 'online' || error === undefined ? {} : { reason: error }),
    }
    try {
      const kept = this.activeStore()?.addChange(key, change)
      if (kept instanceof Promise)
        kept.catch((failure: unknown) =>
          this.#ctx.log.debug(`a change of "${endpoint.id}" could not be stored: ${messageOf(failure)}`),
        )
    } catch (failure) {
      this.#ctx.log.debug(`a change of "${endpoint.id}" could not be stored: ${messageOf(failure)}`)
    }
    if (status !== 'online') return
    this.#recovery.online(endpoint)
    this.fetching.online()
  }

  #eventsOf(endpoint: Endpoint): EndpointEvents {
    const key = this.#keyOf(endpoint)
    return {
      changed: () => this.#changed(endpoint),
      receive: (message) => this.receiving.receive(endpoint, message),
      request: async (request) => {
        const { id, kind, sender, channel, comment, timestamp = this.#ctx.clock.now() } = request
        const { fresh } = await this.readableStore().addRequest(
          key,
          {
            requestId: id,
            kind,
            sender: { ...sender },
            ...(channel ? { channel } : {}),
            ...(comment === undefined ? {} : { comment }),
            timestamp,
          },
          (row) => requestEvent(key, row),
        )
        if (fresh) this.#ctx.emit(requestReceive, { ...key, ...request })
      },
      notice: async (notice) => {
        const { id, kind, channel, operator, target, payload, timestamp = this.#ctx.clock.now() } = notice
        const { fresh } = await this.readableStore().addNotice(
          key,
          {
            noticeId: id,
            kind,
            ...(channel ? { channel } : {}),
            ...(operator ? { operator } : {}),
            ...(target ? { target } : {}),
            payload,
            timestamp,
          },
          (row) => noticeEvent(key, row),
        )
        if (fresh) this.#ctx.emit(noticeReceive, { ...key, ...notice })
      },
    }
  }
}
