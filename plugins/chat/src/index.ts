import { join } from 'node:path'
import {
  Cluster,
  Configuration,
  definePlugin,
  draining,
  endpointPlace,
  HostControl,
  HostPaths,
  ifEnabled,
  ref,
  type BaseContext,
  type Ref,
} from '@mynah/kernel'
import { endpoints as wire } from '@mynah/contract'
import { declare, streamEvents } from '@mynah/plugin-events/api'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { defineCommand, param } from './api/command.js'
import { aiPaths, Chat, commands } from './api/points.js'
import { Renderer } from './api/renderer.js'
import { MessageStore } from './api/store.js'
import { OtherHosts } from './cluster/other-hosts.js'
import { SharedEndpoints } from './cluster/shared-endpoints.js'
import { CommandsConfig, DispatcherConfig, duplicateEndpoints, EndpointsConfig, type EndpointConfig } from './config.js'
import { AccountTests } from './endpoints/account-tests.js'
import { endpointMethods } from './rpc.js'
import { ChatRuntime } from './runtime.js'
import { answerOthers, chatService } from './service.js'
import type { ChatConfig } from './settings.js'
import { optionDescriptions } from './option-descriptions.zh.js'

/** Time that endpoints wait for a declared message store before they connect without it, ms. */
const STORE_TIMEOUT_MS = 5_000
const STREAM_EVENTS = [
  'endpoint:message',
  'endpoint:messageChanged',
  'endpoint:reaction',
  'endpoint:request',
  'endpoint:notice',
] as const

export default definePlugin({
  name: 'chat',
  description: 'Messages, adapters, endpoints, middlewares, dispatcher, commands and sender roles',
  descriptions: { 'zh-CN': '消息、适配器、接入点、中间件、调度、命令与发送者角色' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: {
    keys: { endpoints: EndpointsConfig, dispatcher: DispatcherConfig, commands: CommandsConfig },
    check: ({ endpoints }: { readonly endpoints: readonly EndpointConfig[] }) => duplicateEndpoints(endpoints),
  },
  needs: {
    host: HostControl,
    configuration: ref(Configuration),
    paths: ref(HostPaths),
    store: ref(MessageStore),
    renderer: ref(Renderer),
    cluster: ifEnabled(Cluster),
  },
  provides: [Chat],
  setup(ctx) {
    const runtime = new ChatRuntime(ctx, ctx.config as ChatConfig, {
      host: ctx.host,
      durableStore: ctx.store,
      mayAct: () => ctx.cluster?.holds() ?? true,
      answersFor: ({ adapter, endpoint }) => ctx.cluster?.answersFor(endpointPlace(adapter, endpoint)) ?? true,
      renderer: ctx.renderer,
      mediaFolder: ctx.paths.current && join(ctx.paths.current.data, 'media'),
    })
    const others = ctx.cluster && new OtherHosts(ctx.cluster, ctx.clock)
    const chat = chatService(runtime, ctx.host, others)
    if (others) ctx.onDispose('calls of other hosts', answerOthers(others, runtime, chat, ctx.host))
    ctx.onDispose('endpoints', async () => {
      await runtime.endpoints.stop()
      await runtime.accepted()
    })
    ctx.onDispose('timers', () => runtime.close())
    ctx.on(draining, () => runtime.drain())
    ctx.provide(Chat, chat)
    const tests = new AccountTests(ctx, ctx.configuration, () => chat.commandPrefix)
    for (const bound of endpointMethods(chat, runtime, tests, others)) ctx.contribute(rpcMethods, bound)
    const ofSandbox = (data: { adapter: string }): boolean => data.adapter === 'sandbox'
    for (const type of STREAM_EVENTS) ctx.contribute(streamEvents, declare(wire.events, type, ofSandbox))
    const paths = ctx.read(aiPaths)
    ctx.contribute(
      commands,
      defineCommand({
        name: 'help',
        // With it a private chat with a bot begins on Telegram. A command of a plugin with this name replaces it.
        aliases: ['start'],
        repeatable: true,
        description: { en: 'Lists commands, or describes one', 'zh-CN': '列出命令，或查看某个命令的详情' },
        args: {
          command: param.rest({ optional: true, description: { en: 'name of a command', 'zh-CN': '命令名称' } }),
        },
        run: ({ args, message }) =>
          runtime.runner.isStart(message)
            ? runtime.runner.greeting(message, paths.all().length > 0)
            : runtime.runner.help(args.command, message),
      }),
    )
    if (!ctx.store.declared)
      ctx.log.info('messages are stored in memory only: enable database and inbox to keep them over a restart')
    if (ctx.cluster) startInCluster(runtime, ctx, ctx.cluster)
    else start(runtime, ctx)
    return {
      update(next) {
        runtime.update(next as ChatConfig)
        return true
      },
    }
  },
})

/** Connects the endpoints when the declared store is available, or after {@link STORE_TIMEOUT_MS}. */
function start(
  runtime: ChatRuntime,
  ctx: {
    store: { readonly declared: boolean; readonly current: unknown; onChange(listener: () => void): () => void }
    clock: { setTimeout(callback: () => void, ms: number): () => void }
  },
): void {
  if (!ctx.store.declared || ctx.store.current) return runtime.start()
  let started = false
  const once = (): void => {
    if (started) return
    started = true
    stopWaiting()
    cancel()
    runtime.start()
  }
  const stopWaiting = ctx.store.onChange(once)
  const cancel = ctx.clock.setTimeout(once, STORE_TIMEOUT_MS)
}

/** Connects the endpoints that this host owns, while it may act and can store what they receive. */
function startInCluster(
  runtime: ChatRuntime,
  ctx: Pick<BaseContext<unknown>, 'onDispose'> & { readonly store: Ref<MessageStore> },
  cluster: Cluster,
): void {
  const shared = new SharedEndpoints(cluster, {
    isReady: () => ctx.store.current !== undefined,
    replace: ({ adapter, endpoint }) => runtime.endpoints.replace(adapter, endpoint),
    leave: (key) => runtime.leave(key),
    left: (key) => runtime.left(key),
    enter: (key) => runtime.enter(key),
    isBusy: (key) => runtime.isBusy(key),
  })
  ctx.store.onChange(() => void shared.check())
  ctx.onDispose('places', () => shared.close())
  runtime.start(shared)
}
