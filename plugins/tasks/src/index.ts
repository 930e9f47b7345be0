// The plugin `tasks`: sub-agents and deferred work, whose results are never lost.
import { definePlugin, ifEnabled, ref, messageOf } from '@mynah/kernel'
import { Agent, agentPresets, backgroundWork } from '@mynah/plugin-agent/api'
import { tools } from '@mynah/plugin-ai/api'
import { Chat } from '@mynah/plugin-chat/api'
import { Database, entities } from '@mynah/plugin-database/api'
import { Approvals } from '@mynah/plugin-exec-security/api'
import { claims } from './config.js'
import { DatabaseTasks, MemoryTasks, TaskRecords } from './records.js'
import { Tasks } from './runner.js'
import { taskTools } from './tools.js'

const KEPT_MS = 30 * 86_400_000

export default definePlugin({
  name: 'tasks',
  description: 'Sub-agents and deferred work of the agent',
  descriptions: { 'zh-CN': '子智能体与延后的工作' },
  config: claims,
  needs: { agent: Agent, chat: ref(Chat), approvals: ref(Approvals), database: ifEnabled(Database) },
  setup(ctx) {
    const { agent, chat, approvals, database, clock, log } = ctx
    let { config } = ctx
    ctx.contribute(entities, TaskRecords)
    const store = database ? new DatabaseTasks(database) : ctx.keep('tasks', () => new MemoryTasks())
    const tasks = new Tasks({ agent, chat: () => chat.current, approvals: () => approvals.current, store, clock, log })
    ctx.onDispose('tasks', () => tasks.close())
    ctx.contribute(backgroundWork, tasks)
    for (const tool of taskTools({
      tasks,
      agent,
      all: ctx.read(tools),
      presets: ctx.read(agentPresets),
      config: () => config,
      now: () => clock.now(),
    }))
      ctx.contribute(tools, tool)

    /** Also when chat comes back: what could not be told is told then. */
    const takeUp = async (): Promise<void> => {
      if (chat.declared && !chat.current) return
      try {
        await tasks.recover()
        await tasks.withdrawAbandoned()
        await store.prune(clock.now() - KEPT_MS)
      } catch (error) {
        log.warn(`tasks that a stop left could not be told: ${messageOf(error)}`)
      }
    }
    chat.onChange(takeUp)
    approvals.onChange(() => tasks.withdrawAbandoned())
    const took = takeUp()
    ctx.onDispose('recovery', () => took)
    return {
      update(next) {
        config = next
        return true
      },
    }
  },
})
