// Who answers: the agent whose match fits what came, else `main`; its preset, and the models that are asked for it.
import type { Reader } from '@mynah/kernel'
import { isModelError, type Candidate, type Models } from '@mynah/plugin-ai/api'
import type { AgentPreset } from '../api.js'
import type { AgentConfig, Config } from '../config.js'

export interface SelectedAgent {
  readonly name: string
  readonly config: AgentConfig
  readonly preset: AgentPreset | undefined
}

/** The agent of that name: the configuration's, and the preset that a file declares. */
export function agentByName(name: string, config: Config, presets: Reader<AgentPreset>): SelectedAgent {
  return { name, config: config['ai.agents'][name] ?? {}, preset: presets.get(name)?.value }
}

/** The agent for a message with such media. */
export function selectAgent(kinds: ReadonlySet<string>, config: Config, presets: Reader<AgentPreset>): SelectedAgent {
  const agents = Object.entries(config['ai.agents'])
  const fits = agents
    .filter(([, { match }]) => match?.hasMedia?.some((kind) => kinds.has(kind)))
    .sort(([, a], [, b]) => (b.priority ?? 0) - (a.priority ?? 0))
  const name = fits[0]?.[0] ?? (kinds.has('image') && config['ai.agents'].vision ? 'vision' : 'main')
  return agentByName(name, config, presets)
}

/** The models that are asked for an agent, in order: for pictures those that see, where there is one. */
export async function candidatesOf(
  models: Models,
  { config, preset }: SelectedAgent,
  kinds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const named = config.model ?? preset?.model
  const colon = config.model === undefined && named !== undefined ? named.indexOf(':') : -1
  const provider = config.provider ?? (colon > 0 ? named?.slice(0, colon) : undefined)
  const model = colon > 0 && config.provider === undefined ? named?.slice(colon + 1) : named
  const choice = { provider, model, fallback: config.fallback }
  if (!kinds.has('image')) return models.candidatesFor(choice, { signal })
  return models.candidatesFor({ ...choice, needs: { vision: true } }, { signal }).catch((error: unknown) => {
    // Words about a picture are answered by a model that is told that it cannot see it.
    if (isModelError(error) && error.class === 'unconfigured') return models.candidatesFor(choice, { signal })
    throw error
  })
}
