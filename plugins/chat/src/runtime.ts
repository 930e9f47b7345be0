import type { BaseContext, HostControl, Ref } from '@mynah/kernel'
import { publish } from '@mynah/plugin-events/api'
import type { Renderer } from './api/renderer.js'
import type { EndpointKey } from './api/store.js'
import type { MessageStore } from './api/store.js'
import { CommandRunner } from './commands/runner.js'
import { Dispatcher } from './dispatcher.js'
import { CommandMenus } from './endpoints/command-menus.js'
import { Endpoints, type EndpointPlaces } from './endpoints/endpoints.js'
import { MediaFetcher } from './endpoints/media-fetcher.js'
import { StatusHistory } from './endpoints/status-history.js'
import { ActiveMessages } from './inbound/active-messages.js'
import { AnswerRouter } from './inbound/answer-router.js'
import { Inbound, storeNotice } from './inbound/inbound.js'
import { Interruptions } from './inbound/interruptions.js'
import { LoopGuard } from './inbound/loop-guard.js'
import { MessageActions } from './inbound/message-actions.js'
import { MessageChanges } from './inbound/message-changes.js'
import { MessageHandler } from './inbound/message-handler.js'
import { PlainAnswers } from './inbound/plain-answers.js'
import { Prompts } from './inbound/prompts.js'
import { Receiver } from './inbound/receiver.js'
import { ContentAdapter } from './outbound/content-adapter.js'
import { ContentBuilder } from './outbound/content-builder.js'
import { Drafts } from './outbound/drafts.js'
import { Edits } from './outbound/edits.js'
import { Outbound } from './outbound/outbound.js'
import { PostProcessor } from './outbound/post-processor.js'
import { Resender } from './outbound/resender.js'
import { Sender } from './outbound/sender.js'
import { TransmissionContext } from './outbound/transmission.js'
import { Transmitter } from './outbound/transmitter.js'
import { Recovery } from './recovery.js'
import { Roles } from './roles.js'
import { ChatSettings, type ChatConfig } from './settings.js'
import { ActiveStore } from './store/active-store.js'
import { MemoryMessageStore } from './store/memory-store.js'
import { InboundStates } from './store/inbound-states.js'
import { OutboundStates } from './store/outbound-states.js'
import { PendingWrites } from './store/pending-writes.js'
import { Telemetry } from './telemetry.js'

/** The parts of the host that a plugin context does not have. */
export interface ChatEnvironment {
  readonly host: HostControl
  /** The store of a plugin such as `inbox`. */
  readonly durableStore: Ref<MessageStore>
  /** Whether this host may act now. In a cluster another one may have taken over. */
  readonly mayAct: () => boolean
  /** Whether this host has to end what was begun for an endpoint. */
  readonly answersFor: (key: EndpointKey) => boolean
  readonly renderer: Ref<Renderer>
  /** Folder of the media that segments name by their hash. */
  readonly mediaFolder: string | undefined
}

/**
 * Assembles the pipeline of a message. Each part takes the parts after it:
 *
 *   endpoint → Inbound → Receiver → MessageHandler → Dispatcher → Outbound → Sender → Transmitter → endpoint
 *
 * What has to go against that direction is an event ({@link Endpoints.changed}, {@link OutboundStates.requeued}), which
 * {@link Recovery} listens to.
 */
export class ChatRuntime {
  readonly settings: ChatSettings
  readonly telemetry: Telemetry
  readonly store: ActiveStore
  readonly endpoints: Endpoints
  readonly roles: Roles
  readonly runner: CommandRunner
  readonly postProcessor = new PostProcessor()
  readonly outbound: Outbound
  readonly resender: Resender
  readonly actions: MessageActions
  readonly mediaFetcher: MediaFetcher
  readonly edits: Edits
  readonly changes: MessageChanges
  readonly #active: ActiveMessages
  readonly #pending: PendingWrites
  readonly #prompts: Prompts
  readonly #receiver: Receiver
  readonly #inbound: Inbound
  readonly #menus: CommandMenus
  readonly #recovery: Recovery

  constructor(ctx: BaseContext<unknown>, config: ChatConfig, environment: ChatEnvironment) {
    const { host, durableStore, renderer, mediaFolder, mayAct } = environment
    const memory = ctx.keep(
      'memory-store',
      () =>
        new MemoryMessageStore(
          (event) => ctx.emit(publish, event),
          () => ctx.clock.now(),
        ),
    )
    this.settings = new ChatSettings(config)
    this.telemetry = new Telemetry(ctx)
    this.store = new ActiveStore(durableStore, memory)
    this.endpoints = new Endpoints(ctx)
    this.roles = new Roles(ctx, this.endpoints)
    const pending = new PendingWrites(ctx, this.store)
    this.#pending = pending
    const inboundStates = new InboundStates(this.store, pending, ctx.log)
    const outboundStates = new OutboundStates(ctx, this.store, pending, this.telemetry)

    const builder = new ContentBuilder(ctx, this.postProcessor)
    const contentAdapter = new ContentAdapter(renderer, mediaFolder, ctx.log)
    const context = new TransmissionContext(ctx, this.store, outboundStates, contentAdapter, this.telemetry, mayAct)
    const transmitter = new Transmitter(context, this.endpoints)
    const sender = new Sender(ctx, this.store, outboundStates, builder, transmitter)
    const drafts = new Drafts(ctx, this.store, this.endpoints, builder, context, transmitter)
    this.outbound = new Outbound(ctx, this.endpoints, sender, drafts, this.postProcessor)

    this.resender = new Resender(this.store, sender)

    this.#active = new ActiveMessages(ctx, this.settings)
    this.#prompts = new Prompts(ctx.clock)
    this.runner = new CommandRunner(ctx, host, this.settings, this.endpoints, this.#active)
    const loops = new LoopGuard(ctx, this.settings, ({ adapter, endpoint }, notice) =>
      storeNotice(ctx, this.store, { adapter, endpoint }, notice),
    )
    this.outbound.replied.add((trace) => loops.answered(trace))
    const dispatcher = new Dispatcher(ctx, host, this.settings, inboundStates, this.runner, this.outbound, loops)
    const plainAnswers = new PlainAnswers(ctx, host, this.runner, this.store)
    const answers = new AnswerRouter(this.runner, this.#prompts, plainAnswers)
    const handler = new MessageHandler(ctx, host, this.telemetry, inboundStates, this.#active, answers, dispatcher)

    this.actions = new MessageActions(
      ctx,
      this.settings,
      this.telemetry,
      this.store,
      inboundStates,
      this.outbound,
      this.#prompts,
      this.roles,
    )
    this.#receiver = new Receiver(
      ctx,
      this.telemetry,
      this.store,
      pending,
      inboundStates,
      this.#active,
      this.#prompts,
      handler,
      this.actions,
    )
    this.changes = new MessageChanges(ctx, this.store)
    this.#inbound = new Inbound(ctx, this.store, this.#receiver, this.changes)

    // The order of these three is the order in which they learn that an endpoint is online.
    new StatusHistory(ctx, this.endpoints, this.store, this.telemetry)
    this.#recovery = new Recovery(
      ctx,
      this.telemetry,
      this.store,
      pending,
      outboundStates,
      this.endpoints,
      new Interruptions(ctx, host, this.settings, this.store, this.runner, plainAnswers, this.actions),
      this.#receiver,
      sender,
      environment.answersFor,
    )
    this.#menus = new CommandMenus(ctx, this.settings, this.endpoints, this.store)
    this.mediaFetcher = new MediaFetcher(ctx, this.endpoints)
    this.edits = new Edits(ctx, this.endpoints, this.store, outboundStates)
  }

  /** Connects the endpoints of the configuration. */
  start(places?: EndpointPlaces): void {
    this.endpoints.start(this.settings.endpoints, this.#inbound, places)
  }

  /** Starts to handle no more messages of an endpoint that another host goes on with. */
  leave(key: EndpointKey): void {
    this.#receiver.leave(key)
  }

  /** Resolves when no message is being stored, of one endpoint or of all. */
  accepted(key?: EndpointKey): Promise<void> {
    return this.#receiver.accepted(key)
  }

  /** Forgets what waits for an endpoint that another host has gone on with. */
  enter(key: EndpointKey): void {
    this.#receiver.forget(key)
  }

  /** Resolves when this host has ended what it does for an endpoint that another host goes on with. */
  async left(key: EndpointKey): Promise<void> {
    this.#recovery.forget(key)
    await this.#recovery.idle(key)
    await this.accepted(key)
  }

  /** Whether messages of an endpoint are being handled. */
  isBusy(key: EndpointKey): boolean {
    return this.#active.hasAny(key)
  }

  update(config: ChatConfig): void {
    this.settings.update(config)
    this.endpoints.configure(config.endpoints)
    this.#menus.schedule()
  }

  /**
   * Accepts no more messages, and resolves when those in progress are handled and sent. Messages that wait in a durable
   * store stay there for the next start.
   */
  async drain(): Promise<void> {
    this.#receiver.drain()
    this.#pending.stopWaiting()
    if (this.store.current?.durable) for (const { outbox } of this.endpoints.all()) outbox.leave()
    const outboxes = (): Promise<unknown> => Promise.all(this.endpoints.all().map(({ outbox }) => outbox.idle()))
    do {
      await this.#active.idle()
      await outboxes()
    } while (this.#active.size > 0)
    await this.#pending.close()
  }

  /** Ends open prompts and timers. */
  close(): void {
    this.#receiver.close()
    this.#menus.close()
    this.#prompts.close()
    this.#active.close()
    this.#recovery.close()
    this.#pending.dispose()
  }
}
