import type { Candidate, Models, ThinkingLevel } from '@mynah/plugin-ai/api'
import { harnessOf, hasSkillTools, type ModelHarness } from '../harness.js'
import type { AgentRuntime } from '../runtime.js'
import type { Session } from '../session/types.js'
import { agentByName, candidatesOf, selectAgent, type SelectedAgent } from './agent-selection.js'
import { mediaKinds } from './media-kinds.js'
import type { LiveTurn } from './live-turn.js'
import { candidatesAfter, chosenCandidate, mayChoose, mayUse } from './model-choice.js'
import { currentRoles } from './roles.js'
import { untilStored } from './until-stored.js'

/** The agent and the models of a turn, chosen before its first request. */
export interface PreparedTurn {
  readonly models: Models
  readonly agent: SelectedAgent
  readonly harness: ModelHarness
  /** The models to ask, in order. At least one. */
  readonly candidates: readonly Candidate[]
  /** How much the model thinks, where that was chosen. */
  readonly thinking: ThinkingLevel | undefined
  /** A chosen model that is gone. It is forgotten, and the answer says so. */
  readonly lost: string | undefined
}

/** Chooses the agent and the models of a turn. */
export async function prepareTurn(runtime: AgentRuntime, live: LiveTurn): Promise<PreparedTurn> {
  const { config, presets } = runtime
  const models = runtime.models ?? (await runtime.untilModels(live.signal))
  const kinds = mediaKinds(live.media)
  const name = live.journal.agent
  const isNamed = live.request?.agent !== undefined || name !== 'main'
  const agent = isNamed ? agentByName(name, config, presets) : selectAgent(kinds, config, presets)
  // The agent that is there for a kind of media has its own models.
  const session = agent.name === name ? await chosenIn(runtime, live) : undefined
  const choice = session && (await applyChoice(runtime, models, { live, agent, session, kinds }))
  const candidates = choice?.candidates ?? (await candidatesOf(models, agent, kinds, live.signal))
  const [best] = candidates
  if (!best) throw new Error('no models')
  const harness = harnessOf(runtime.config, best, hasSkillTools(runtime.tools), models.model(best))
  return { models, agent, harness, candidates, thinking: choice?.thinking, lost: choice?.lost }
}

/** Returns the session of a turn where something was chosen in it. */
async function chosenIn({ store, clock }: AgentRuntime, live: LiveTurn): Promise<Session | undefined> {
  const session = await untilStored(() => store.byId(live.journal.session), clock, live.signal)
  return session?.model || session?.thinking ? session : undefined
}

/** The effect of a choice on a turn. */
interface AppliedChoice {
  /** Absent where the agent's own models answer. */
  readonly candidates?: readonly Candidate[]
  readonly thinking?: ThinkingLevel | undefined
  readonly lost?: string
}

interface ChosenFor {
  readonly live: LiveTurn
  readonly agent: SelectedAgent
  readonly session: Session
  readonly kinds: ReadonlySet<string>
}

/** Returns what was chosen for a conversation, as far as the sender may use it now. */
async function applyChoice(
  runtime: AgentRuntime,
  models: Models,
  { live, agent, session, kinds }: ChosenFor,
): Promise<AppliedChoice> {
  const roles = currentRoles(runtime, live)
  // In a group it was chosen for all by one who may.
  const isGroup = (session.channel?.type ?? 'private') !== 'private'
  const thinking = isGroup || mayChoose(agent, roles) ? (session.thinking ?? undefined) : undefined
  const { model } = session
  if (model === null) return { thinking }
  const chosen = await chosenCandidate(models, model, live.signal)
  if (!chosen || !(isGroup || mayUse(agent, model, roles))) {
    const { store, clock } = runtime
    const isForgotten = await untilStored(() => store.choose(session.id, { model: null }, model), clock, live.signal)
    return { thinking, ...(isForgotten ? { lost: model } : {}) }
  }
  // Another model has to look at pictures that this one cannot see.
  if (kinds.has('image') && models.model(chosen)?.capabilities.vision === false) return { thinking }
  return { thinking, candidates: await candidatesAfter(chosen, models, agent, live.signal) }
}
