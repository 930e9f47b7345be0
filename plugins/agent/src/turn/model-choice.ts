// Which model a person may choose for a conversation, and what is asked then.
import { isModelError, type Candidate, type Models } from '@mynah/plugin-ai/api'
import { candidatesOf, type SelectedAgent } from './agent-selection.js'

type Configured = Pick<SelectedAgent, 'config'>

/** Returns a candidate as people write it. */
export const referenceOf = ({ provider, model }: Candidate): string => `${provider}:${model}`

/** Returns the models that are listed for a sender, whether or not there are such models now. */
export const listedFor = ({ config }: Configured, roles: ReadonlySet<string>): readonly string[] =>
  (config.models ?? [])
    .filter(({ roles: needed }) => !needed?.length || needed.some((role) => roles.has(role)))
    .map(({ model }) => model)

/** Returns whether the sender may choose at all: a master, or one for whom models are listed. */
export const mayChoose = (agent: Configured, roles: ReadonlySet<string>): boolean =>
  roles.has('master') || listedFor(agent, roles).length > 0

/** Returns whether the sender may use a model that is not the agent's own. */
export const mayUse = (agent: Configured, model: string, roles: ReadonlySet<string>): boolean =>
  roles.has('master') || listedFor(agent, roles).includes(model)

/** Returns the candidate of `alias:model`, or `undefined` where it is not configured. */
export async function chosenCandidate(
  models: Models,
  reference: string,
  signal: AbortSignal,
): Promise<Candidate | undefined> {
  // No alias has a colon.
  const colon = reference.indexOf(':')
  if (colon < 1) return undefined
  const choice = { provider: reference.slice(0, colon), model: reference.slice(colon + 1), fallback: [] }
  try {
    return (await models.candidatesFor(choice, { signal }))[0]
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Returns the models to ask where one was chosen: that, and then those of the agent, unless it has no fallback. */
export async function candidatesAfter(
  chosen: Candidate,
  models: Models,
  agent: SelectedAgent,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  if (agent.config.fallback?.length === 0) return [chosen]
  const others = await candidatesOf(models, agent, new Set(), signal).catch((error: unknown) => {
    // The chosen model works, whatever is wrong with that of the agent.
    if (isMissing(error)) return []
    throw error
  })
  return [chosen, ...others.filter((other) => referenceOf(other) !== referenceOf(chosen))]
}

const isMissing = (error: unknown): boolean =>
  isModelError(error) && (error.class === 'not-allowed' || error.class === 'unconfigured')
