// A plugin for tests: the methods of tasks, jobs, agent, models and MCP with example data, until plugins of ours serve
// them; and a command that asks for a shell command.
import { contract } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { definePlugin, ref } from '@mynah/kernel'
import { commands, defineCommand, param } from '@mynah/plugin-chat/api'
import { method, rpcMethods } from '@mynah/plugin-console-rpc/api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { ExecSecurity } from '@mynah/plugin-exec-security/api'
import { laterAnswers } from './example-data.js'

interface Task {
  readonly id: string
  readonly [field: string]: unknown
}
type Params = Readonly<Record<string, unknown>>

const Any = Type.Unknown()
const Anything = Type.Object({
  id: Type.Optional(Type.String()),
  cronExpression: Type.Optional(Type.String()),
  prompt: Type.Optional(Type.String()),
  label: Type.Optional(Type.String()),
  notify: Type.Optional(Any),
  timezone: Type.Optional(Type.String()),
  sessionKey: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer()),
})
const later = contract({
  rpc: Object.fromEntries(
    Object.keys(laterAnswers(0)).map((type) => [type, { summary: 'Example data', params: Anything, data: Any }]),
  ),
  events: { 'job:run': { summary: 'A run began or ended', data: Any } },
})

/** Served by plugins of ours on the same host. */
const SERVED = /^exec:/

export default definePlugin({
  name: 'example-later',
  description: 'Example data of plugins that are still to come',
  needs: { exec: ref(ExecSecurity) },
  setup(ctx) {
    let tasks: readonly Task[] = []
    let runs: readonly Params[] = []
    const set = (id: unknown, change: Params): unknown => {
      if (!tasks.some((task) => task.id === id)) throw new Error(`No task "${String(id)}"`)
      tasks = tasks.map((task) => (task.id === id ? { ...task, ...change } : task))
      return tasks.find((task) => task.id === id)
    }
    const own: Readonly<Record<string, (params: Params) => unknown>> = {
      'cron:list': () => ({
        memory: [],
        persistent: tasks,
        total: tasks.length,
        matching: tasks.length,
        failed: 0,
        paused: 0,
      }),
      'cron:get': ({ id }) => set(id, {}),
      'cron:add': (params) => {
        const task = {
          enabled: true,
          createdAt: Date.now(),
          timezone: 'UTC',
          nextRuns: [],
          ...params,
          id: `task${tasks.length + 1}`,
        }
        tasks = [...tasks, task]
        return task
      },
      'cron:update': ({ id, ...change }) => set(id, change),
      'cron:pause': ({ id }) => (set(id, { enabled: false }), { success: true }),
      'cron:resume': ({ id }) => (set(id, { enabled: true }), { success: true }),
      'cron:remove': ({ id }) => {
        tasks = tasks.filter((task) => task.id !== id)
        return { success: true }
      },
      'jobs:runs': () => ({ runs }),
      'jobs:run': async ({ id }) => {
        const run = {
          id: `run${runs.length + 1}`,
          jobId: id,
          slot: 'now',
          state: 'ok',
          attempt: 1,
          startedAt: Date.now(),
          finishedAt: Date.now() + 5,
          result: 'did it',
        }
        runs = [run, ...runs]
        set(id, { lastRun: Date.now(), lastStatus: 'ok' })
        await ctx.emit(publish, event(later.events, 'job:run', run))
        return { runId: run.id }
      },
    }
    ctx.contribute(streamEvents, declare(later.events, 'job:run'))
    for (const type of Object.keys(later.rpc).filter((name) => !SERVED.test(name))) {
      ctx.contribute(
        rpcMethods,
        method(later.rpc, type, (params) => (own[type] ? own[type](params as Params) : laterAnswers(Date.now())[type])),
      )
    }
    ctx.contribute(
      commands,
      defineCommand({
        name: 'shell',
        description: 'Asks for a shell command',
        args: { text: param.rest({ default: '' }) },
        run: async ({ args, message }) => {
          const answer = await ctx.exec.current?.request(args.text, {
            origin: {
              adapter: message.adapter,
              endpoint: message.endpoint,
              channel: message.channel,
              user: message.sender.id,
            },
          })
          return answer?.verdict ?? 'not there'
        },
      }),
    )
  },
})
