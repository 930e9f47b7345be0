import { budgetExceeded, modelStateChanged } from '@mynah/plugin-ai/api'
import { introspectionSources } from '@mynah/plugin-introspection/api'
import { metrics } from '@mynah/plugin-management/api'
import { backgroundWork } from '../api.js'
import { agentMetrics, TurnCounters } from '../metrics.js'
import { OwnerNotices } from '../owner-notices.js'
import type { AgentContext, AgentRuntime } from '../runtime.js'
import { agentByName, namedModel } from '../turn/agent-selection.js'

/** Shows the agent from outside: metrics, introspection, and notices to the owner. */
export function register(ctx: AgentContext, runtime: AgentRuntime): void {
  const { events, activeTurns, tools } = runtime
  const counters = new TurnCounters()
  events.on('prefixBroken', (why) => counters.prefixBroken(why))
  events.on('firstText', (ms) => counters.firstText(ms))
  events.on('turnEnded', (turn) => counters.turnEnded(turn))
  events.on('recovered', (outcome) => {
    counters.recoveredTurns(outcome)
    const { continued, delivered, interrupted } = outcome
    ctx.log[interrupted > 0 ? 'warn' : 'info'](
      `turns that were left open: ${continued} continue, ${delivered} deliver their answers, ` +
        `${interrupted} interrupted`,
    )
  })
  events.on('ringMended', ({ session, entry, parent }) => {
    counters.rings++
    ctx.log.warn('the entries of a session formed a ring, which was opened', { session, entry, parent })
  })
  const work = ctx.read(backgroundWork)
  for (const metric of agentMetrics(
    counters,
    () => activeTurns.all().map(({ journal }) => journal),
    () => work.all().map(({ value }) => value),
  ))
    ctx.contribute(metrics, metric)
  const notReady = (): string | undefined =>
    runtime.models ? undefined : 'The AI service is not ready: the plugin ai is not running'
  ctx.contribute(introspectionSources, {
    resource: 'bindings',
    notReady,
    items: () => runtime.agentNames().map((name) => bindingOf(name, runtime)),
  })
  ctx.contribute(introspectionSources, {
    resource: 'tools',
    notReady,
    items: () =>
      tools.all().map(({ value: { name, description, source }, owner }) => ({
        name,
        description,
        source: source ?? owner,
      })),
  })
  const notices = new OwnerNotices(runtime)
  ctx.on(budgetExceeded, (exceeded) => notices.budget(exceeded))
  ctx.on(modelStateChanged, (change) => {
    const { provider, model, state, reason } = change
    notices.model(change)
    const name = model === undefined ? provider : `${provider}:${model}`
    if (state === 'cooling') ctx.log.info(`model ${name} is not used for a while: ${reason ?? 'no reason is known'}`)
    else ctx.log.info(`model ${name} is used again`)
  })
}

/** Returns an agent with the provider and the model that answer for it. */
function bindingOf(name: string, { config, presets, models }: AgentRuntime) {
  const agent = agentByName(name, config, presets)
  const named = namedModel(agent)
  const known = models?.list() ?? []
  // A model without a provider belongs to the first one that has it.
  const owner = known.find(({ models: list }) =>
    named.model === undefined ? list.length > 0 : list.some(({ id }) => id === named.model),
  )
  const provider = named.provider ?? owner?.alias ?? ''
  const best = known.find(({ alias }) => alias === provider)?.models[0]?.id
  return {
    name,
    provider,
    model: named.model ?? best ?? '',
    mcpServers: [...(agent.config.mcpServers ?? [])],
    hasAgentFile: agent.preset !== undefined,
  }
}
