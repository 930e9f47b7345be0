// The plugin `cron`: the one engine of everything that is not an answer to a message.
import { definePlugin, draining, HostControl, ifEnabled, ref, service } from '@mynah/kernel'
import { jobs as contract, WireError } from '@mynah/contract'
import type { JobAction, JobNotify } from '@mynah/contract/types'
import { tools } from '@mynah/plugin-ai/api'
import { Chat, commands } from '@mynah/plugin-chat/api'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { Database, entities } from '@mynah/plugin-database/api'
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
  SkipJob,
} from './api.js'
import { jobCommand } from './commands.js'
import { claim, type Config } from './config.js'
import { Engine } from './engine/engine.js'
import { followUps } from './followup.js'
import { handlerAction } from './handlers.js'
import { Heartbeat } from './heartbeat.js'
import { MemoryTasks } from './memory-tasks.js'
import { jobMetrics } from './metrics.js'
import { ownNotifiers } from './notify/notifiers.js'
import { cronMethods } from './rpc.js'
import { DatabaseJobs } from './store/database-jobs.js'
import { MemoryJobs } from './store/memory-jobs.js'
import { JobRows, RunRows } from './store/tables.js'
import { runView } from './store/types.js'
import { cronTools } from './tools.js'
import { TaskViews } from './views.js'
import { waitsFor } from './waits-for.js'

/** Known by its name only: this plugin works without it, and it knows this one. */
const AgentThere = service<unknown>('agent')

export default definePlugin({
  name: 'cron',
  description: 'Jobs: schedules, runs that happen once, and where their results go',
  descriptions: { 'zh-CN': '任务：时间表、只执行一次的运行、结果的去向' },
  config: claim,
  needs: {
    host: HostControl,
    database: ifEnabled(Database),
    chat: ref(Chat),
    agent: ref(AgentThere),
    approvals: ref(Approvals),
  },
  provides: [Jobs],
  async setup(ctx) {
    const { clock, log, host, database, chat, agent, signal } = ctx
    let config: Config = ctx.config
    const zone = (): string | undefined => config.timezone
    ctx.contribute(entities, JobRows)
    ctx.contribute(entities, RunRows)
    ctx.contribute(streamEvents, declare(contract.events, 'job:run'))
    const store = database
      ? new DatabaseJobs(database)
      : ctx.keep(
          'jobs',
          () => new MemoryJobs((run) => ctx.emit(publish, event(contract.events, 'job:run', runView(run)))),
        )
    if (!database) log.warn('jobs are kept in memory only and end with the host: enable database to keep them')
    const actions = ctx.read(jobActions)
    const handlers = ctx.read(jobHandlers)
    const notifiers = ctx.read(jobNotifiers)
    const defaults = ctx.read(notifyDefaults)

    const engine = new Engine({
      store,
      clock,
      log,
      signal,
      zone,
      concurrency: () => config.concurrency,
      redact: (text) => host.redact(text),
      changed: (id) => ctx.emit(jobsChanged, { id }),
      roles: {
        rolesOf(adapter, endpoint, user) {
          const running = chat.current
          if (running) return running.rolesOf(adapter, endpoint, user)
          if (chat.declared)
            throw new WireError('not_ready', 'Chat is not ready, so nobody knows the roles of the job’s creator')
          return new Set(['user'])
        },
      },
      approvals: (until) => {
        const { approvals } = ctx
        if (approvals.current || !approvals.declared) return approvals.current
        return waitsFor(
          {
            name: 'Who asks the owner',
            look: () => approvals.current,
            watch: (listener) => approvals.onChange(listener),
          },
          clock,
          until,
        )
      },
      actionOf: (kind: JobAction['kind'], until) => {
        const known = actions.get(kind)?.value
        if (known) return known
        if (kind !== 'agent' || !agent.declared)
          throw new SkipJob(
            kind === 'agent' ? 'no agent runs on this host' : `nothing on this host runs the action "${kind}"`,
          )
        return waitsFor(
          {
            name: `What runs "${kind}"`,
            look: () => actions.get(kind)?.value,
            watch: (listener) => actions.watch(listener),
          },
          clock,
          until,
        )
      },
      notifierOf: (channel) => notifiers.get(channel)?.value,
      check({ action }) {
        if (action.kind !== 'handler') return
        const handler = handlers.get(action.handler)?.value
        if (!handler)
          throw new WireError('invalid_request', `There is no handler "${action.handler}"`, {
            details: [
              {
                path: 'action.handler',
                message: `must be one of ${
                  handlers
                    .all()
                    .map(({ key }) => key)
                    .join(', ') || 'none'
                }`,
              },
            ],
          })
        handler.check?.(action.args)
      },
    })
    const memory = new MemoryTasks({ clock, log, zone, report: (plugin, error) => host.report(plugin, error) })
    const views = new TaskViews(engine)
    const defaultNotify = (): JobNotify =>
      defaults
        .all()
        .map(({ value }) => value.notify())
        .find((notify) => notify !== undefined) ?? { channel: 'log' }

    for (const notifier of ownNotifiers(chat, log)) ctx.contribute(jobNotifiers, notifier)
    ctx.contribute(jobActions, handlerAction(handlers, clock))
    const followUp = followUps(engine, clock)
    ctx.contribute(jobHandlers, followUp.handler)
    ctx.contribute(tools, followUp.tool)
    for (const tool of cronTools({ engine, views, clock, zone })) ctx.contribute(tools, tool)
    ctx.contribute(commands, jobCommand(engine))
    for (const metric of jobMetrics(engine.book)) ctx.contribute(metrics, metric)
    for (const bound of cronMethods({ engine, store, memory, views, clock, zone, defaultNotify }))
      ctx.contribute(rpcMethods, bound)

    const tasks = ctx.read(memoryTasks)
    for (const task of tasks.all()) memory.add(task)
    tasks.watch(({ added, removed }) => {
      for (const { key } of removed) memory.remove(key)
      for (const task of added) memory.add(task)
    })
    await engine.load()
    ctx.onDispose('runs', () => engine.runner.idle())
    ctx.onDispose('memory tasks', () => memory.end())
    ctx.onDispose('slots', () => engine.end())
    ctx.on(draining, async () => {
      heartbeat.end()
      await engine.end()
      await engine.runner.settle()
    })
    const heartbeat = new Heartbeat({
      engine,
      memory,
      clock,
      log,
      chat: () => chat.current,
      files: ctx.read(heartbeatFiles),
      settings: ctx.read(heartbeatSettings),
    })
    ctx.onDispose('heartbeat', () => heartbeat.end())
    await heartbeat.begin()
    ctx.provide(Jobs, engine)
    engine.begin()
    return {
      update(next, previous) {
        // Every schedule without a zone of its own is another one.
        if (next.timezone !== previous.timezone) return false
        config = next
        engine.runner.places.fill()
        return true
      },
    }
  },
})
