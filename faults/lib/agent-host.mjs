// A host process with an agent, whose model answers from a script.
import agent from '@mynah/plugin-agent'
import { Agent } from '@mynah/plugin-agent/api'
import { scripted } from '@mynah/plugin-ai/testing'
import { Database } from '@mynah/plugin-database/api'
import execSecurity from '@mynah/plugin-exec-security'
import { hasOpenRows } from './host.mjs'

const SECTIONS = ['ai.agents', 'ai.sessions', 'ai.context', 'ai.trigger', 'ai.multimodal', 'ai.agent']

/** Returns the plugins of an agent with these models. */
export const agentWith = (models) => [
  { plugin: scripted(models) },
  { plugin: agent, config: Object.fromEntries(SECTIONS.map((section) => [section, {}])) },
]

/** Returns the plugin that asks the owner for commands. */
export const askingForCommands = (more = {}) => ({
  plugin: execSecurity,
  config: {
    'ai.agent.execSecurity': 'allowlist',
    'ai.agent.execApprovalMode': 'ask',
    'ai.agent.execPreset': 'readonly',
    ...more,
  },
})

/** Returns whether messages, turns or tasks are in progress. Work moves in this order, so none is missed. */
export async function isWorking(host, { withTasks = false } = {}) {
  if ((await hasOpenRows(host)) || host.get(Agent).turns().length > 0) return true
  const tasks = withTasks ? ' + (SELECT count(*) FROM agent_task WHERE delivered_at IS NULL)' : ''
  const query = `SELECT (SELECT count(*) FROM agent_turn WHERE ended_at IS NULL)${tasks} AS open`
  const [{ open }] = await host.get(Database).read((db) => db.query(query))
  return Number(open) > 0 || hasOpenRows(host)
}
