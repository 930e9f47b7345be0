import { Cluster, definePlugin, HostControl, ifEnabled, ref, messageOf } from '@mynah/kernel'
import { DAY_MS } from '@mynah/kernel/util'
import { Agent, agentPresets, backgroundWork } from '@mynah/plugin-agent/api'
import { tools } from '@mynah/plugin-ai/api'
import { Chat } from '@mynah/plugin-chat/api'
import { Database, entities } from '@mynah/database-api'
import { Approvals } from '@mynah/plugin-exec-security/api'
import { claims } from './config.js'
import { DatabaseTasks } from './database-tasks.js'
import { MemoryTasks } from './memory-tasks.js'
import { TaskRecords } from './records.js'
import { Tasks } from './runner.js'
import { taskTools } from './tools.js'
import { optionDescriptions } from './option-descriptions.zh.js'

/** Time that delivered tasks are kept, in milliseconds. */
const RETENTION_MS = 30 * DAY_MS

export default definePlugin({
  name: 'tasks',
  description: 'Sub-agents and deferred work of the agent',
  descriptions: { 'zh-CN': '子智能体与延后的工作' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: claims,
  needs: {
    host: HostControl,
    agent: Agent,
    chat: ref(Chat),
    approvals: ref(Approvals),
    database: ifEnabled(Database),
    cluster: ifEnabled(Cluster),
  },
  setup(ctx) {
    const { host, agent, chat, approvals, database, cluster, clock, log } = ctx
    let { config } = ctx
    ctx.contribute(entities, TaskRecords)
    const store = database ? new DatabaseTasks(database) : ctx.keep('tasks', () => new MemoryTasks())
    const tasks = new Tasks({ agent, chat, approvals, store, clock, log, cluster })
    ctx.contribute(backgroundWork, tasks)
    for (const tool of taskTools({
      tasks,
      agent,
      all: ctx.read(tools),
      presets: ctx.read(agentPresets),
      config: () => config,
      clock,
    }))
      ctx.contribute(tools, tool)

    /** Runs at the start and whenever chat becomes available. */
    const recover = async (): Promise<void> => {
      if (chat.declared && !chat.current) return
      try {
        await tasks.recover()
        await tasks.withdrawAbandoned()
        await store.prune(clock.now() - RETENTION_MS)
      } catch (error) {
        log.warn(`failed to recover tasks: ${messageOf(error)}`)
      }
    }
    chat.onChange(recover)
    approvals.onChange(() => tasks.withdrawAbandoned())
    if (cluster)
      ctx.onDispose(
        'hosts',
        cluster.onChange(() => void recover()),
      )
    const recovered = recover()
    ctx.onDispose('tasks', async () => {
      // Ends the waits of the recovery for the database, too.
      await tasks.close(host.status === 'stopping')
      await recovered
    })
    return {
      update(next) {
        config = next
        return true
      },
    }
  },
})
