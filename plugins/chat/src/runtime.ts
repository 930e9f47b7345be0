// Puts the parts of chat together and ties them to the plugin's context.
import { type BaseContext, type HostControl, type Ref } from '@mynah/kernel'
import { endpoints as wire, WireError } from '@mynah/contract'
import type { Channel, Content, MessageRow } from '@mynah/contract/types'
import { event, publish } from '@mynah/plugin-events/api'
import type { Locale } from './api/message.js'
import { adapters, aiPaths, beforeSendMessage, commands, components, endpointChanged, messageReceive, messageSend, middlewares, noticeReceive, requestReceive, type Chat } from './api/points.js'
import type { InboundRecord, MessageStore } from './api/store.js'
import { descriptionOf, usageOf } from './commands/help.js'
import { CommandRunner } from './commands/runner.js'
import { listOf, type CommandsConfig, type DispatcherConfig, type EndpointConfig } from './config.js'
import { Dispatcher } from './dispatcher.js'
import { Endpoints } from './endpoints.js'
import type { Endpoint, EndpointEvents } from './endpoint.js'
import { MemoryStore } from './memory-store.js'
import type { MessageActions } from './message.js'
import { Prompts } from './prompts.js'
import { Receiving } from './receiving.js'
import { rolesOf } from './roles.js'
import { Sending } from './sending.js'
import { Traces } from './traces.js'
import { infoOf, rowOf } from './views.js'

export interface ChatConfig { readonly endpoints: readonly EndpointConfig[]; readonly dispatcher: DispatcherConfig; readonly commands: CommandsConfig }

export class ChatRuntime {
  readonly #ctx: BaseContext<unknown>
  readonly #durable: Ref<MessageStore>
  readonly #memory: MemoryStore
  readonly #traces: Traces
  readonly #recovered = new Set<string>()
  readonly counters = { received: 0, sent: 0, errors: 0, duplicates: 0, unsaved: 0 }
  readonly prompts: Prompts
  readonly endpoints: Endpoints
  readonly runner: CommandRunner
  readonly dispatcher: Dispatcher
  readonly sending: Sending
  readonly receiving: Receiving
  config: ChatConfig
  readonly #redact: (text: string) => string

  constructor(ctx: BaseContext<unknown>, config: ChatConfig, host: HostControl, durable: Ref<MessageStore>) {
    this.#ctx = ctx
    this.config = config
    this.#durable = durable
    this.#redact = host.redact
    this.#memory = ctx.keep('memory-store', () => new MemoryStore())
    this.#traces = ctx.keep('traces', () => new Traces())
    this.prompts = new Prompts(ctx.clock)
    const registered = ctx.read(adapters)
    this.endpoints = new Endpoints({ adapters: registered, clock: ctx.clock, log: ctx.log, events: (endpoint) => this.#eventsOf(endpoint), removed: (endpoint) => this.#changed(endpoint, 'removed') })
    registered.watch(() => this.endpoints.adaptersChanged())
    this.runner = new CommandRunner({ commands: ctx.read(commands), config: () => this.config.commands, selfId: (message) => this.endpoints.get(message.adapter, message.endpoint).self.id, host, now: () => ctx.clock.now() })
    this.sending = new Sending({
      store: () => this.activeStore(), components: ctx.read(components), now: () => ctx.clock.now(), log: ctx.log, counters: this.counters,
      before: (outgoing) => (ctx.hears(beforeSendMessage) ? ctx.waterfall(beforeSendMessage, outgoing, (passed) => passed) : undefined),
      sent: (outgoing, rowId, text) => {
        ctx.emit(messageSend, outgoing)
        this.#publish(rowId, () => ({ messageId: outgoing.messageId, sender: { id: outgoing.endpoint, name: outgoing.endpoint }, channel: outgoing.target, content: [...outgoing.segments], text, direction: 'out', read: true, timestamp: outgoing.timestamp }), outgoing.adapter, outgoing.endpoint)
      },
    })
    this.dispatcher = new Dispatcher({
      runner: this.runner, aiPaths: ctx.read(aiPaths), config: () => this.config.dispatcher, host,
      send: (endpoint, message, content, options) => this.sending.send(endpoint, message.channel, content, options),
      contextWanted: () => ctx.hears(beforeSendMessage),
    })
    const runtime = this
    const actions: MessageActions = {
      send: (endpoint, target, content, options) => this.sending.send(endpoint, target, content, options),
      ask: (message, timeout) => this.prompts.ask(message.record, timeout),
      unask: (message) => this.prompts.cancel(message.record),
      get locale(): Locale { return runtime.config.commands.locale },
    }
    this.receiving = new Receiving({
      store: () => this.activeStore(), middlewares: ctx.read(middlewares), dispatcher: this.dispatcher, prompts: this.prompts, traces: this.#traces,
      actions, host, clock: ctx.clock, log: ctx.log, counters: this.counters,
      accepted: (record, rowId) => this.#publish(rowId, () => inboundRow(record), record.adapter, record.endpoint),
      finished: (message) => ctx.emit(messageReceive, message),
    })
    durable.onChange((store) => { if (store) this.#recoverAll() })
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

  #publish(rowId: string | undefined, row: () => Omit<MessageRow, 'id'>, adapter: string, endpoint: string): void {
    if (!this.#ctx.hears(publish)) return
    const made = row()
    this.#ctx.emit(publish, event(wire.events, 'endpoint:message', { adapter, endpoint_id: endpoint, id: rowId ?? made.messageId, ...made }))
  }

  #changed(endpoint: Endpoint, status: 'online' | 'offline' | 'pending' | 'removed'): void {
    this.#ctx.emit(endpointChanged, { adapter: endpoint.adapter, endpoint: endpoint.id, status })
  }

  #eventsOf(endpoint: Endpoint): EndpointEvents {
    const key = { adapter: endpoint.adapter, endpoint: endpoint.id }
    return {
      changed: () => {
        this.#changed(endpoint, endpoint.status)
        if (endpoint.status === 'online') void this.#recover(endpoint)
      },
      receive: (message) => this.receiving.receive(endpoint, message),
      request: async (request) => {
        const timestamp = request.timestamp ?? this.#ctx.clock.now()
        const { row, fresh } = await this.readableStore().addRequest(key, { requestId: request.id, kind: request.kind, sender: { ...request.sender }, ...(request.channel ? { channel: request.channel } : {}), ...(request.comment === undefined ? {} : { comment: request.comment }), timestamp })
        if (!fresh) return
        this.#ctx.emit(publish, event(wire.events, 'endpoint:request', { adapter: key.adapter, endpoint_id: key.endpoint, ...row }))
        this.#ctx.emit(requestReceive, { ...key, ...request })
      },
      notice: async (notice) => {
        const timestamp = notice.timestamp ?? this.#ctx.clock.now()
        const { row, fresh } = await this.readableStore().addNotice(key, { noticeId: notice.id, kind: notice.kind, ...(notice.channel ? { channel: notice.channel } : {}), ...(notice.operator ? { operator: notice.operator } : {}), ...(notice.target ? { target: notice.target } : {}), payload: notice.payload, timestamp })
        if (!fresh) return
        this.#ctx.emit(publish, event(wire.events, 'endpoint:notice', { adapter: key.adapter, endpoint_id: key.endpoint, ...row }))
        this.#ctx.emit(noticeReceive, { ...key, ...notice })
      },
    }
  }

  #recoverAll(): void {
    for (const endpoint of this.endpoints.all()) if (endpoint.status === 'online') void this.#recover(endpoint)
  }

  /** Once for each endpoint and start: what a stop left behind is handled and sent. */
  async #recover(endpoint: Endpoint): Promise<void> {
    const store = this.activeStore()
    const name = `${endpoint.adapter}|${endpoint.id}`
    if (!store || this.#recovered.has(name)) return
    this.#recovered.add(name)
    const key = { adapter: endpoint.adapter, endpoint: endpoint.id }
    try {
      for (const { id, ...record } of await store.recover(key)) this.receiving.recover(endpoint, record, id)
      for (const record of await store.recoverSends(key)) {
        this.sending.resume(endpoint, record).catch((error: unknown) => this.#ctx.log.warn(`a message of before the stop could not be sent: ${String(error)}`))
      }
    } catch (error) {
      this.#recovered.delete(name)
      this.#ctx.log.warn(`what the last stop left could not be read: ${error instanceof Error ? error.message : String(error)}`, key)
    }
  }

  /** Chat as other plugins see it. */
  api(): Chat {
    const { endpoints, dispatcher, runner, counters } = this
    return Object.freeze<Chat>({
      dispatcher,
      counters,
      send: (adapter: string, endpoint: string, target: Channel, content: Content) => this.sending.send(endpoints.get(adapter, endpoint), target, content),
      list: () => Promise.all(endpoints.all().map((endpoint) => rowOf(endpoint, this.activeStore(), this.#redact))),
      info: async (adapter, endpoint) => infoOf(endpoints.get(adapter, endpoint), this.activeStore(), this.#redact),
      endpoints: () => endpoints.all().map(({ adapter, id, status }) => ({ adapter, name: id, status })),
      online: () => endpoints.all().filter(({ status }) => status === 'online').length,
      commands: () => runner.tree().all()
        .map(({ command, owner }) => ({ pattern: usageOf(command, this.config.commands.prefix), desc: descriptionOf(command, 'en'), plugin: owner }))
        .sort((a, b) => (a.pattern < b.pattern ? -1 : a.pattern > b.pattern ? 1 : 0)),
      rolesOf: (adapter, endpoint, userId) => rolesOf(endpoints.get(adapter, endpoint).config, userId),
      mastersOf: (adapter, endpoint) => listOf(endpoints.get(adapter, endpoint).config.master),
      traces: (query) => this.#traces.list(query),
    })
  }
}

function inboundRow(record: InboundRecord): Omit<MessageRow, 'id'> {
  const { messageId, sender, channel, segments, text, timestamp } = record
  return { messageId, sender: { id: sender.id, name: sender.name ?? sender.id }, channel, content: [...segments], text, direction: 'in', read: false, timestamp }
}

