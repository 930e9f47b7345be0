import { isRecord } from '@mynah/contract'
import { billionsOf, type Candidate, type ModelView } from '@mynah/plugin-ai/api'
import { BUILT_IN, type Config, type Harness } from './config.js'

type Size = 'small' | 'medium' | 'large'
/** The settings that hold for one model. */
export interface ModelHarness
  extends
    Required<Omit<Harness, 'temperature' | 'parallelToolCalls' | 'providerOptions' | 'modelSizeHint'>>,
    Pick<Harness, 'temperature' | 'parallelToolCalls' | 'providerOptions'> {
  readonly size: Size
}

/** Returns the size of a model by its parameters. Hosted models, whose number is unknown, are large. */
function sizeOf(billions = Infinity): Size {
  if (billions <= 8) return 'small'
  return billions <= 32 ? 'medium' : 'large'
}

const DEFAULT_ROUNDS = 15
/** Rounds that the activation and installation of skills may take. */
const SKILL_ROUNDS = 3
const SKILL_TOOLS = ['activate_skill', 'install_skill']
const SKILL_CHARS = { small: 1_500, medium: 4_000, large: 8_000 } as const

/** Returns whether there are tools that activate or install skills. */
export const hasSkillTools = (tools: { get(name: string): unknown }): boolean =>
  SKILL_TOOLS.some((name) => tools.get(name) !== undefined)

/** Returns whether an alias matches a pattern in which `*` stands for any text. Takes linear time for any pattern. */
function matches(pattern: string, alias: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === alias
  if (!alias.startsWith(first) || !alias.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = alias.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return alias.length - last.length >= at
}

/** Merges objects deeply. Of other values the later one counts. */
function mergeDeep<T>(base: T, over: unknown): T {
  if (!isRecord(base) || !isRecord(over)) return (over === undefined ? base : over) as T
  const result: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) result[key] = mergeDeep(result[key], value)
  return result as T
}

/**
 * Returns the settings for a model: the built-in ones by its size, then those of provider patterns, of the
 * configuration, and of the model itself. Rounds for skills are added to those that are configured.
 */
export function harnessOf(
  config: Config,
  { provider, model }: Candidate,
  hasSkills: boolean,
  known: Pick<ModelView, 'billions'> = {},
): ModelHarness {
  const own = config['ai.agent']
  const { providerPatterns, models } = own.modelHarness
  // A value that equals the default counts as not configured: otherwise it would always override patterns.
  const configured = (key: keyof typeof BUILT_IN): Harness => (own[key] === BUILT_IN[key] ? {} : { [key]: own[key] })
  const explicit: Harness = {
    ...configured('maxTools'),
    ...configured('maxSkills'),
    ...configured('contextTokens'),
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
    maxIterations: (settled.maxIterations ?? DEFAULT_ROUNDS) + (hasSkills ? SKILL_ROUNDS : 0),
    skillInstructionMaxChars: settled.skillInstructionMaxChars || SKILL_CHARS[size],
    size,
  }
}
