// What holds for one model: built-in by its size, then by patterns of the provider, the configuration, and the model itself.
import { isRecord } from '@mynah/contract'
import { billionsOf, type Candidate, type ModelView } from '@mynah/plugin-ai/api'
import { BUILT_IN, type Config, type Harness } from './config.js'

export type Size = 'small' | 'medium' | 'large'
export interface ModelHarness
  extends
    Required<Omit<Harness, 'temperature' | 'parallelToolCalls' | 'providerOptions' | 'modelSizeHint'>>,
    Pick<Harness, 'temperature' | 'parallelToolCalls' | 'providerOptions'> {
  readonly size: Size
}

/** Size of a model by its parameters: up to 8B small, up to 32B medium; hosted models and what says nothing are large. */
function sizeOf(billions: number | undefined): Size {
  return billions === undefined ? 'large' : billions <= 8 ? 'small' : billions <= 32 ? 'medium' : 'large'
}

const ROUNDS = 15
const ROUNDS_OF_SKILLS = 3
const SKILL_TOOLS = ['activate_skill', 'install_skill']
const SKILL_CHARS = { small: 1_500, medium: 4_000, large: 8_000 } as const

/** Whether skills can be activated or installed. */
export const hasSkillTools = (tools: { get(name: string): unknown }): boolean =>
  SKILL_TOOLS.some((name) => tools.get(name) !== undefined)

function matches(pattern: string, alias: string): boolean {
  // Greedy by parts: a pattern of an administrator is still no reason to go back and forth.
  const parts = pattern.split('*')
  if (parts.length === 1) return pattern === alias
  let at = 0
  for (const [index, part] of parts.entries()) {
    const found =
      index === 0
        ? alias.startsWith(part)
          ? 0
          : -1
        : index === parts.length - 1
          ? alias.length - part.length >= at && alias.endsWith(part)
            ? alias.length - part.length
            : -1
          : alias.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return true
}

/** Objects are merged, everything else of the later one counts. */
function mergeDeep<T>(base: T, over: unknown): T {
  if (!isRecord(base) || !isRecord(over)) return (over === undefined ? base : over) as T
  const result: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) result[key] = mergeDeep(result[key], value)
  return result as T
}

/** What holds for a candidate. Where skills can be activated or installed that takes rounds of its own, which are given beside those that are configured. */
export function harnessOf(
  config: Config,
  { provider, model }: Candidate,
  hasSkills: boolean,
  known: Pick<ModelView, 'billions'> = {},
): ModelHarness {
  const own = config['ai.agent']
  const { providerPatterns, models } = own.modelHarness
  // What is the default was filled in, and says nothing: a pattern would never count otherwise.
  const said = (key: keyof typeof BUILT_IN): Harness => (own[key] === BUILT_IN[key] ? {} : { [key]: own[key] })
  const explicit: Harness = {
    ...said('maxTools'),
    ...said('maxSkills'),
    ...said('contextTokens'),
    ...(own.maxIterations === undefined ? {} : { maxIterations: own.maxIterations }),
    ...(own.modelSizeHint ? { modelSizeHint: own.modelSizeHint } : {}),
    ...(own.skillInstructionMaxChars ? { skillInstructionMaxChars: own.skillInstructionMaxChars } : {}),
  }
  let settled: Harness = {}
  for (const [pattern, harness] of Object.entries(providerPatterns))
    if (matches(pattern, provider)) settled = mergeDeep(settled, harness)
  settled = mergeDeep(settled, explicit)
  settled = mergeDeep(mergeDeep(settled, models[model]), models[`${provider}:${model}`])
  const size = settled.modelSizeHint || sizeOf(known.billions ?? billionsOf(model))
  return {
    ...BUILT_IN,
    disabledTools: [],
    ...settled,
    maxIterations: (settled.maxIterations ?? ROUNDS) + (hasSkills ? ROUNDS_OF_SKILLS : 0),
    skillInstructionMaxChars: settled.skillInstructionMaxChars || SKILL_CHARS[size],
    size,
  }
}
