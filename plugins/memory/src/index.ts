import { join, resolve } from 'node:path'
import { definePlugin, HostPaths, ifEnabled, ref } from '@mynah/kernel'
import { aiHook, beforeCompaction, promptSections } from '@mynah/plugin-agent/api'
import { agentFolder, Models, toolPolicies, tools, type Origin } from '@mynah/plugin-ai/api'
import { heartbeatFiles } from '@mynah/plugin-cron/api'
import { Database, entities } from '@mynah/database-api'
import { readText } from './bootstrap.js'
import { claims } from './config.js'
import { flush } from './flush.js'
import { AgentNotes, type Notes } from './notes.js'
import { DatabaseProfiles, MemoryProfiles, ProfileRecords } from './profiles.js'
import { sections } from './sections.js'
import { memoryPolicy, memoryTools } from './tools.js'
import { SentSections } from './sent-sections.js'
import { optionDescriptions } from './option-descriptions.zh.js'

export default definePlugin({
  name: 'memory',
  description: 'Bootstrap files, memory and user profiles of the agent',
  descriptions: { 'zh-CN': '智能体的引导文件、记忆与用户资料' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: claims,
  needs: { paths: ref(HostPaths), models: ref(Models), database: ifEnabled(Database) },
  setup(ctx) {
    const { clock, log, models, database } = ctx
    let { config } = ctx
    const root = ctx.paths.current?.root ?? resolve('.')
    const folder = ({ agent }: Pick<Origin, 'agent'> = {}): string =>
      resolve(root, config['ai.memory'].root, agentFolder({ agent }) ?? '.')
    const memoryOf = (agent: string | undefined): string | undefined =>
      agent !== undefined && config['ai.memory'].shared.includes(agent) ? undefined : agent
    const forAll = (): boolean => config['ai.memory'].scope === 'all'
    const now = (): number => clock.now()
    ctx.contribute(entities, ProfileRecords)
    const allNotes = new AgentNotes(ctx.paths.current?.data ?? resolve('data'))
    const notes = ({ agent }: Pick<Origin, 'agent'>): Notes => allNotes.of(memoryOf(agent))
    const profiles = database ? new DatabaseProfiles(database) : ctx.keep('profiles', () => new MemoryProfiles())
    const sent = new SentSections()
    for (const section of sections({ folder, notes, memoryOf, profiles, sent, forAll, now }))
      ctx.contribute(promptSections, section)
    for (const tool of memoryTools({
      config: () => config,
      folder,
      notes,
      memoryOf,
      profiles,
      registered: ctx.read(tools),
      now,
    }))
      ctx.contribute(tools, tool)
    ctx.contribute(
      toolPolicies,
      memoryPolicy(() => config, memoryOf),
    )

    // The heartbeat of cron reads this file.
    ctx.contribute(heartbeatFiles, { name: 'memory', read: () => readText(join(folder(), 'HEARTBEAT.md')) })

    // Sections are sent again when the messages with them were summarised or belong to an earlier session.
    for (const name of ['ai.session.compact', 'ai.session.new'] as const)
      ctx.on(aiHook(name), ({ sessionKey }) => {
        if (sessionKey !== undefined) sent.forget(sessionKey)
      })
    ctx.on(beforeCompaction, async ({ agent, messages, candidates, isOwnersChat, signal }) => {
      const service = models.current
      if (service && (isOwnersChat || forAll()))
        await flush({ models: service, candidates, messages, notes: notes({ agent }), clock, log, signal })
    })
    return {
      update(next) {
        config = next
        return true
      },
    }
  },
})
