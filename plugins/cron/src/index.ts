import {
  Cluster,
  definePlugin,
  draining,
  HOUSE,
  HostControl,
  ifEnabled,
  ref,
  service,
  type BaseContext,
  type Reader,
} from '@mynah/kernel'
import { SECOND_MS } from '@mynah/kernel/util'
import { jobs as contract } from '@mynah/contract'
import type { JobNotify } from '@mynah/contract/types'
import { tools } from '@mynah/plugin-ai/api'
import { Chat, commands } from '@mynah/plugin-chat/api'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { Database, entities } from '@mynah/database-api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { Approvals } from '@mynah/plugin-exec-security/api'
import { metrics } from '@mynah/plugin-management/api'
import {
  heartbeatFiles,
  heartbeatSettings,
  jobActions,
  jobHandlers,
  jobNotifiers,
  Jobs,
  jobsChanged,
  memoryTasks,
  notifyDefaults,
  type NotifyDefault,
} from './api.js'
import { shareJobs, tellChange, tellRun } from './cluster.js'
import { PluginCollaborators } from './collaborators.js'
import { jobCommand } from './commands.js'
import { claim, type Config } from './config.js'
import { Engine } from './engine/engine.js'
import type { EngineOptions, EngineSettings } from './engine/options.js'
import { handlerPlace, kindPlace } from './engine/place.js'
import { RunCounters } from './engine/run-counters.js'
import { RunStopped } from './engine/run-stopped.js'
import type { Runner } from './engine/runner.js'
import { followUps } from './followup.js'
import { handlerAction } from './handlers.js'
import { Heartbeat } from './heartbeat.js'
import { MemoryTasks } from './memory-tasks.js'
import { jobMetrics } from './metrics.js'
import { builtInNotifiers } from './notify/notifiers.js'
import { cronMethods } from './rpc.js'
import { DatabaseJobs } from './store/database-jobs.js'
import { MemoryJobs } from './store/memory-jobs.js'
import { JobRows, RunRows } from './store/records.js'
import { runView } from './store/types.js'
import { cronTools } from './tools.js'
import { TaskViews } from './views.js'
import { whenReady } from './when-ready.js'
import { optionDescriptions } from './option-descriptions.zh.js'

const firstNotify = (defaults: Reader<NotifyDefault>): JobNotify =>
  defaults
    .all()
    .map(({ value }) => value.notify())
    .find((notify) => notify !== undefined) ?? { channel: 'log' }

/** Ends what runs when the plugin stops. Disposers run in reverse order. */
function stopInOrder(
  ctx: BaseContext<unknown>,
  { engine, memory, heartbeat }: { engine: Engine; memory: MemoryTasks; heartbeat: Heartbeat },
): void {
  ctx.onDispose('runs', () => engine.runner.idle())
  ctx.onDispose('memory tasks', () => memory.stop())
  ctx.onDispose('slots', () => engine.stop())
  ctx.onDispose('heartbeat', () => heartbeat.stop())
  ctx.on(draining, async () => {
    heartbeat.stop()
    await engine.stop()
    await engine.runner.settle()
  })
}

/** Loads jobs and begins periodic tasks; in a cluster, on the host that owns the house. */
async function begin(
  ctx: BaseContext<unknown>,
  cluster: Cluster | undefined,
  { engine, memory, heartbeat }: { engine: Engine; memory: MemoryTasks; heartbeat: Heartbeat },
): Promise<void> {
  let isFollowing = false
  const beginHere = async (): Promise<void> => {
    await whenReady(engine.load())
    if (!isFollowing) memory.follow(ctx.read(memoryTasks))
    isFollowing = true
    await whenReady(heartbeat.start())
  }
  if (!cluster) return beginHere()
  const { clock, log } = ctx
  await whenReady(engine.mirror())
  const changed = (id: string): void => ctx.emit(jobsChanged, { id })
  ctx.onDispose('jobs of other hosts', shareJobs({ cluster, engine, clock, log, begin: beginHere, changed }))
}

/** Stops the runs whose action goes away with its plugin. */
function stopRunsOf(
  runner: Runner,
  actions: Reader<unknown>,
  { placeOf, graceMs }: { readonly placeOf: (key: string) => string; readonly graceMs: number },
): void {
  actions.watch(({ removed }) => {
    for (const { key } of removed)
      runner.stopPlace(placeOf(key), new RunStopped('the plugin of its action stopped', true), graceMs)
  })
}

/** Returns the settings of the engine, as the configuration has them now. */
const settingsOf = (config: () => Config): EngineSettings => ({
  get concurrency() {
    return config().concurrency
  },
  get runTimeoutMs() {
    return config().runTimeout * SECOND_MS
  },
  get timezone() {
    return config().timezone
  },
})

/** Returns how engines of a cluster divide their work: the one of the house runs jobs. */
const sharingIn = (cluster: Cluster): NonNullable<EngineOptions['sharing']> => ({
  host: cluster.self.name,
  isHere: () => cluster.owns(HOUSE),
  passOn: (run) => tellRun(cluster, run),
})

/** Time that a kind of actions has to suspend its work when its plugin stops, in milliseconds. */
const KIND_GRACE_MS = 5 * SECOND_MS

/** The agent depends on this plugin, so its service is referenced by name to avoid an import cycle. */
const AgentService = service<unknown>('agent')

export default definePlugin({
  name: 'cron',
  description: 'Jobs: schedules, one-time runs, and the delivery of their results',
  descriptions: { 'zh-CN': '任务：时间表、只执行一次的运行、结果的去向' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: claim,
  needs: {
    host: HostControl,
    database: ifEnabled(Database),
    chat: ref(Chat),
    agent: ref(AgentService),
    approvals: ref(Approvals),
    cluster: ifEnabled(Cluster),
  },
  provides: [Jobs],
  async setup(ctx) {
    const { clock, log, host, database, chat, agent, approvals, cluster, signal } = ctx
    let config: Config = ctx.config
    const settings = settingsOf(() => config)
    ctx.contribute(entities, JobRows)
    ctx.contribute(entities, RunRows)
    ctx.contribute(streamEvents, declare(contract.events, 'job:run'))
    const store = database
      ? new DatabaseJobs(database)
      : ctx.keep(
          'jobs',
          () => new MemoryJobs((run) => ctx.emit(publish, event(contract.events, 'job:run', runView(run)))),
        )
    if (!database) log.warn('jobs are kept in memory and end with the host; enable the plugin database to keep them')

    const handlers = ctx.read(jobHandlers)
    const actions = ctx.read(jobActions)
    const counters = new RunCounters()
    const collaborators = new PluginCollaborators(
      { host, chat, agent, approvals, handlers, actions, notifiers: ctx.read(jobNotifiers) },
      clock,
    )
    const engine = new Engine(
      {
        store,
        clock,
        log,
        signal,
        settings,
        collaborators,
        counters,
        ...(cluster ? { sharing: sharingIn(cluster) } : {}),
      },
      (id) => {
        ctx.emit(jobsChanged, { id })
        if (cluster) tellChange(cluster, id)
      },
    )
    stopRunsOf(engine.runner, handlers, { placeOf: handlerPlace, graceMs: 0 })
    // A kind of actions may suspend its work by itself, to continue it with the next attempt.
    stopRunsOf(engine.runner, actions, { placeOf: kindPlace, graceMs: KIND_GRACE_MS })
    const memory = new MemoryTasks({ clock, log, settings, host })
    const views = new TaskViews(engine)

    const defaults = ctx.read(notifyDefaults)
    for (const notifier of builtInNotifiers(chat, log)) ctx.contribute(jobNotifiers, notifier)
    ctx.contribute(jobActions, handlerAction(handlers, clock))
    const followUp = followUps(engine, clock)
    ctx.contribute(jobHandlers, followUp.handler)
    for (const tool of [followUp.tool, ...cronTools({ engine, views, clock, settings })]) ctx.contribute(tools, tool)
    ctx.contribute(commands, jobCommand(engine))
    for (const metric of jobMetrics(engine.index, counters)) ctx.contribute(metrics, metric)
    for (const bound of cronMethods({
      engine,
      store,
      memory,
      views,
      clock,
      settings,
      defaultNotify: () => firstNotify(defaults),
    }))
      ctx.contribute(rpcMethods, { ...bound, place: () => HOUSE })

    const heartbeat = new Heartbeat(
      { engine, memory, chat, files: ctx.read(heartbeatFiles), settings: ctx.read(heartbeatSettings) },
      clock,
      log,
    )
    stopInOrder(ctx, { engine, memory, heartbeat })
    await begin(ctx, cluster, { engine, memory, heartbeat })
    ctx.provide(Jobs, engine)
    if (!cluster) engine.start()
    return {
      update(next, previous) {
        // A different default zone changes every schedule without one, so the plugin restarts.
        if (next.timezone !== previous.timezone) return false
        config = next
        engine.runner.pool.schedule()
        return true
      },
    }
  },
})
