import type { Reader } from '@mynah/kernel'
import { isModelError, type Candidate, type Models } from '@mynah/plugin-ai/api'
import type { AgentPreset } from '../api.js'
import type { AgentConfig, Config } from '../config.js'

export interface SelectedAgent {
  readonly name: string
  readonly config: AgentConfig
  readonly preset: AgentPreset | undefined
}

/** Returns the agent of a name, with the preset that a file declares for it. */
export function agentByName(name: string, config: Config, presets: Reader<AgentPreset>): SelectedAgent {
  return { name, config: config['ai.agents'][name] ?? {}, preset: presets.get(name)?.value }
}

/** Returns the agent for a message with such media: the one whose match fits, else `vision` for images, else `main`. */
export function selectAgent(kinds: ReadonlySet<string>, config: Config, presets: Reader<AgentPreset>): SelectedAgent {
  const agents = Object.entries(config['ai.agents'])
  const fits = agents
    .filter(([, { match }]) => match?.hasMedia?.some((kind) => kinds.has(kind)))
    .sort(([, a], [, b]) => (b.priority ?? 0) - (a.priority ?? 0))
  const name = fits[0]?.[0] ?? (kinds.has('image') && config['ai.agents'].vision ? 'vision' : 'main')
  return agentByName(name, config, presets)
}

/** Returns the provider and the model that the configuration or the file of an agent names. */
export function namedModel({ config, preset }: Pick<SelectedAgent, 'config' | 'preset'>): {
  readonly provider: string | undefined
  readonly model: string | undefined
} {
  const named = config.model ?? preset?.model
  const colon = config.model === undefined && named !== undefined ? named.indexOf(':') : -1
  const provider = config.provider ?? (colon > 0 ? named?.slice(0, colon) : undefined)
  const model = colon > 0 && config.provider === undefined ? named?.slice(colon + 1) : named
  return { provider, model }
}

/** Returns the models to ask for an agent, in order. For images they are those with vision, when there is one. */
export async function candidatesOf(
  models: Models,
  agent: SelectedAgent,
  kinds: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const choice = { ...namedModel(agent), fallback: agent.config.fallback }
  if (!kinds.has('image')) return models.candidatesFor(choice, { signal })
  return models.candidatesFor({ ...choice, needs: { vision: true } }, { signal }).catch((error: unknown) => {
    // Without such a model another one answers, and reads that it cannot see the image.
    if (isModelError(error) && error.class === 'unconfigured') return models.candidatesFor(choice, { signal })
    throw error
  })
}
