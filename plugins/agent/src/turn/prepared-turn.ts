import type { Candidate, Models } from '@mynah/plugin-ai/api'
import { harnessOf, hasSkillTools, type ModelHarness } from '../harness.js'
import type { AgentRuntime } from '../runtime.js'
import { agentByName, candidatesOf, selectAgent, type SelectedAgent } from './agent-selection.js'
import { mediaKinds } from './inbound-media.js'
import type { LiveTurn } from './live-turn.js'

/** The agent and the models of a turn, chosen before its first request. */
export interface PreparedTurn {
  readonly models: Models
  readonly agent: SelectedAgent
  readonly harness: ModelHarness
  /** The models to ask, in order. At least one. */
  readonly candidates: readonly Candidate[]
}

/** Chooses the agent and the models of a turn. */
export async function prepareTurn(runtime: AgentRuntime, live: LiveTurn): Promise<PreparedTurn> {
  const { config, presets } = runtime
  const models = runtime.models ?? (await runtime.untilModels(live.signal))
  const kinds = mediaKinds(live.media)
  const name = live.request?.agent ?? live.journal.agent
  const isNamed = live.request?.agent !== undefined || name !== 'main'
  const agent = isNamed ? agentByName(name, config, presets) : selectAgent(kinds, config, presets)
  const candidates = await candidatesOf(models, agent, kinds, live.signal)
  const [best] = candidates
  if (!best) throw new Error('no models')
  const harness = harnessOf(runtime.config, best, hasSkillTools(runtime.tools), models.model(best))
  return { models, agent, harness, candidates }
}
