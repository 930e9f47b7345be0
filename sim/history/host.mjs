// The plugins of the host, as built.
import agent from '@mynah/plugin-agent'
import chat from '@mynah/plugin-chat'
import cron from '@mynah/plugin-cron'
import events from '@mynah/plugin-events'
import inbox from '@mynah/plugin-inbox'
import tasks from '@mynah/plugin-tasks'
import { approvalsPlugin } from '../world/approvals-plugin.mjs'
import { crewPlugin } from '../world/crew-plugin.mjs'
import { modelPlugin } from '../world/model-plugin.mjs'
import { databasePlugin } from '../world/store/database-plugin.mjs'
import { toolsPlugin } from '../world/tools-plugin.mjs'

// The product loads these when they are first needed; a history must not wait for a disk.
await import('../../plugins/ai/dist/loop/agent-loop.js')
await import('../../plugins/chat/dist/outbound/markdown-parser.js')
await (await import('../../plugins/ai/dist/loop/schemas.js')).checkOf({ type: 'object' })

const AGENT = {
  'ai.agents': {},
  'ai.sessions': {},
  'ai.context': {},
  'ai.trigger': {},
  'ai.multimodal': {},
  // People without a role say more than a host takes by default.
  'ai.agent': { rateLimit: { strangersPerHour: 0 } },
}

/** Returns the plugins of one life of the host with their configuration. */
export function entriesOf(world) {
  const endpoints = world.platforms.map(({ name }) => ({
    adapter: name,
    id: 'one',
    master: 'owner',
    trusted: ['tess'],
  }))
  return [
    { plugin: events },
    { plugin: databasePlugin(world) },
    { plugin: inbox },
    { plugin: crewPlugin(world) },
    {
      plugin: chat,
      config: {
        endpoints,
        // Simulated people answer at once, and are no automata.
        dispatcher: { loop: { exchanges: 0 } },
        commands: {},
      },
    },
    ...(world.plan.agent ? withAgent(world) : []),
  ]
}

const withAgent = (world) => [
  { plugin: modelPlugin(world) },
  { plugin: toolsPlugin(world) },
  { plugin: approvalsPlugin(world) },
  { plugin: cron },
  { plugin: agent, config: AGENT },
  { plugin: tasks, config: { 'ai.agent.subagentTools': ['strike', 'look', 'unlock', 'apply'] } },
]
