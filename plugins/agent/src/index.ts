// The plugin `agent`: answers in chat, with sessions that survive restarts and turns that always end.
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { entities } from '@mynah/database-api'
import { SessionTrees } from '@mynah/plugin-introspection/api'
import { PairingRecords } from './access/pairings.js'
import { Agent, Documents } from './api.js'
import { claims, removedKeys } from './config.js'
import * as commands from './features/commands.js'
import * as compaction from './features/compaction.js'
import * as hooks from './features/hooks.js'
import * as introspection from './features/introspection.js'
import * as jobs from './features/jobs.js'
import * as recovery from './features/recovery.js'
import * as stream from './features/stream.js'
import * as turns from './features/turns.js'
import * as waitNotices from './features/wait-notices.js'
import { AgentRuntime, needs } from './runtime.js'
import { MediaParts } from './view/shared-media.js'
import { Entries, Sessions, TurnRecords, UsageRecords } from './session/tables.js'
import { optionDescriptions } from './option-descriptions.zh.js'

const agent: AnyPlugin = definePlugin({
  name: 'agent',
  description: 'The AI agent in chat: triggers, sessions, turns, compaction',
  descriptions: { 'zh-CN': '读取消息、调用工具并回答的智能体：会话、回合与提示' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: claims,
  needs,
  provides: [Agent, SessionTrees, Documents],
  setup(ctx) {
    for (const line of removedKeys(ctx.config)) ctx.log.warn(line)
    for (const table of [Sessions, Entries, TurnRecords, UsageRecords, PairingRecords]) ctx.contribute(entities, table)
    if (ctx.cluster) ctx.contribute(entities, MediaParts)
    if (!ctx.database) ctx.log.info('sessions are kept in memory only: enable database to keep them')
    const runtime = new AgentRuntime(ctx)
    ctx.provide(Documents, {
      read: (document, { group, signal }) => runtime.documents.read(document, { chat: `plugin|${group}`, signal }),
    })
    // Listeners first: the parts below emit events as soon as they run.
    introspection.register(ctx, runtime)
    stream.register(ctx, runtime)
    waitNotices.register(ctx, runtime)
    hooks.register(ctx, runtime)
    const { compactor } = compaction.register(ctx, runtime)
    const answering = turns.register(ctx, runtime, { compactor })
    commands.register(ctx, runtime, { compactor, ...answering })
    jobs.register(ctx, runtime, answering)
    recovery.register(ctx, runtime, answering)
    return {
      update(next) {
        runtime.configure(next)
        for (const line of removedKeys(next)) ctx.log.warn(line)
        return true
      },
    }
  },
})
export default agent
