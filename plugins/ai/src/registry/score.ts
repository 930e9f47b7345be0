// Scores models by their names, from 0 to 100 on one scale for all providers. Models that do not chat have 0, those
// below 8 billion parameters 40 to 60. Larger and newer models have more. Names of hosted models hold no size, so a
// table has their families, and their versions count.

/** Facts about a model besides its name. */
export interface Known {
  readonly parameterSize?: string | undefined
}

/** Names of models that do not chat, as parts of a pattern. */
const NO_CHAT_NAMES = [
  ...['embed(?:ding)?s?', 'bge', 'e5', 'gte', 'nomic', 'minilm', 'rerank(?:er)?', 'whisper', 'tts'],
  ...['stt', 'transcribe', 'asr', 'dall-?e', 'imagen', 'image', 'flux', 'sdxl', 'stable-diffusion'],
  ...['veo', 'sora', 'lyria', 'moderation', 'omni-moderation', 'guard', 'shieldgemma', 'realtime', 'audio'],
  ...['speech', 'davinci', 'babbage', 'ada', 'curie', 'clip', 'aqa', 'computer-use', 'robotics'],
  ...['ocr'],
]
const NO_CHAT = new RegExp(String.raw`(?:^|[/:_-])(?:${NO_CHAT_NAMES.join('|')})(?:$|[/:._-]|\d)`)
const EMBED = /embed/

/**
 * A family of hosted models. The first one whose words all occur in a name counts. Each version above `from` adds
 * `perVersion` to the base.
 */
interface HostedFamily {
  readonly words: readonly string[]
  readonly base: number
  readonly from?: number
  readonly perVersion?: number
}
const HOSTED: readonly HostedFamily[] = [
  { words: ['claude', 'opus'], base: 86, from: 3, perVersion: 6 },
  { words: ['claude', 'sonnet'], base: 86, from: 3, perVersion: 4 },
  { words: ['claude', 'haiku'], base: 74, from: 3, perVersion: 4 },
  { words: ['claude', 'instant'], base: 62 },
  { words: ['claude'], base: 72, from: 2, perVersion: 6 },
  { words: ['gpt', 'nano'], base: 70, from: 4, perVersion: 4 },
  { words: ['gpt', 'mini'], base: 76, from: 4, perVersion: 6 },
  { words: ['gpt', 'turbo'], base: 64, from: 3.5, perVersion: 30 },
  { words: ['gpt-oss'], base: 74 },
  { words: ['gpt', 'pro'], base: 90, from: 4, perVersion: 6 },
  { words: ['chatgpt'], base: 86, from: 4, perVersion: 6 },
  { words: ['gpt-4o'], base: 84 },
  { words: ['gpt-4.1'], base: 86 },
  { words: ['gpt'], base: 79, from: 4, perVersion: 15 },
  { words: ['gemini', 'flash', 'lite'], base: 68, from: 1.5, perVersion: 5 },
  { words: ['gemini', 'flash'], base: 74, from: 1.5, perVersion: 8 },
  { words: ['gemini', 'pro'], base: 82, from: 1.5, perVersion: 9 },
  { words: ['gemini'], base: 76, from: 1, perVersion: 6 },
  { words: ['deepseek', 'reasoner'], base: 87 },
  { words: ['deepseek', 'r1'], base: 84 },
  { words: ['deepseek', 'chat'], base: 85 },
  { words: ['deepseek', 'v'], base: 80, from: 2, perVersion: 4 },
  { words: ['deepseek'], base: 78 },
  { words: ['grok', 'mini'], base: 76, from: 3, perVersion: 5 },
  { words: ['grok', 'fast'], base: 80, from: 3, perVersion: 4 },
  { words: ['grok'], base: 82, from: 2, perVersion: 5 },
  { words: ['mistral', 'large'], base: 80, from: 1, perVersion: 2 },
  { words: ['mistral', 'medium'], base: 76, from: 1, perVersion: 2 },
  { words: ['mistral', 'small'], base: 68, from: 1, perVersion: 1 },
  { words: ['magistral'], base: 76 },
  { words: ['codestral'], base: 70 },
  { words: ['pixtral'], base: 72 },
  { words: ['ministral'], base: 58 },
  { words: ['mixtral'], base: 66 },
  { words: ['qwen', 'max'], base: 85, from: 2, perVersion: 3 },
  { words: ['qwen', 'plus'], base: 80, from: 2, perVersion: 3 },
  { words: ['qwen', 'turbo'], base: 70, from: 2, perVersion: 2 },
  { words: ['qwen', 'flash'], base: 70, from: 2, perVersion: 2 },
  { words: ['qwq'], base: 72 },
  { words: ['kimi'], base: 85, from: 1, perVersion: 3 },
  { words: ['moonshot'], base: 72 },
  { words: ['glm', 'air'], base: 76, from: 4, perVersion: 4 },
  { words: ['glm', 'flash'], base: 66, from: 4, perVersion: 4 },
  { words: ['glm'], base: 82, from: 4, perVersion: 8 },
  { words: ['minimax'], base: 82, from: 1, perVersion: 2 },
  { words: ['command', 'plus'], base: 74 },
  { words: ['command-a'], base: 80 },
  { words: ['command'], base: 68 },
  { words: ['nova', 'premier'], base: 82 },
  { words: ['nova', 'pro'], base: 76 },
  { words: ['nova', 'lite'], base: 66 },
  { words: ['nova', 'micro'], base: 58 },
  { words: ['llama', 'maverick'], base: 79 },
  { words: ['llama', 'scout'], base: 74 },
  { words: ['doubao', 'pro'], base: 80 },
  { words: ['doubao', 'lite'], base: 66 },
  { words: ['doubao'], base: 76 },
  { words: ['ernie'], base: 74 },
  { words: ['hunyuan'], base: 74 },
  { words: ['phi-4'], base: 62 },
  { words: ['phi-3'], base: 55 },
  { words: ['sonar', 'pro'], base: 80 },
  { words: ['sonar'], base: 72 },
  { words: ['jamba', 'large'], base: 72 },
]

/** Returns the score of a model. */
export function tierScore(id: string, known: Known = {}): number {
  const name = id.slice(0, 200).toLowerCase()
  if (NO_CHAT.test(name) || EMBED.test(name)) return 0
  const size = sizeOf(known.parameterSize ?? '') ?? sizeOf(name)
  if (size !== undefined) return ofSize(size, name)
  const reasoning = /(?:^|[/:_-])o(\d)(?:$|[-_:])(?:.{0,20}(mini))?/.exec(name)
  if (reasoning)
    return clamp(84 + 3 * Number(reasoning[1]) - (reasoning[2] ? 9 : 0) + (name.includes('pro') ? 3 : 0), 61, 96)
  const family = HOSTED.find(({ words }) => words.every((word) => name.includes(word)))
  if (family)
    return clamp(
      family.base + (family.perVersion ?? 0) * Math.max(0, (versionOf(name) ?? family.from ?? 0) - (family.from ?? 0)),
      40,
      99,
    )
  return clamp(58 + wordsOf(name), 45, 75)
}

/**
 * How large a model is by a text, such as its name: `7b`, `8x22b`, `e4b`, `135M`. Half of all experts' weight counts
 * for its score.
 */
export function sizeOf(text: string): number | undefined {
  return expertsOf(text.toLowerCase()) === undefined ? billionsOf(text) : (billionsOf(text) ?? 0) / 2
}

/** The least millions of parameters of a chat model. */
const LEAST_MILLIONS = 20
const expertsOf = (text: string): readonly [number, number] | undefined => {
  const found = /(?:^|[^a-z0-9.])(\d{1,3})x(\d{1,3}(?:\.\d{1,3})?)b(?![a-z0-9])/.exec(text)
  return found ? [Number(found[1]), Number(found[2])] : undefined
}

/** Units of parameters in billions. */
const IN_BILLIONS: Readonly<Record<string, number>> = { m: 0.001, b: 1, t: 1_000 }

/** Returns the billions of parameters in the name of a model, those of all experts together. */
export function billionsOf(text: string): number | undefined {
  const name = text.slice(0, 256).toLowerCase()
  const experts = expertsOf(name)
  if (experts) return experts[0] * experts[1]
  const found = /(?:^|[^a-z0-9.])[ae]?(\d{1,4}(?:\.\d{1,3})?)([bmt])(?![a-z0-9])/.exec(name)
  // `1m` is the window of a model.
  if (!found || (found[2] === 'm' && Number(found[1]) < LEAST_MILLIONS)) return undefined
  return Number(found[1]) * (IN_BILLIONS[found[2] ?? ''] ?? 1)
}

function ofSize(size: number, name: string): number {
  // A newer generation counts for less than the next size.
  const newer = Math.min(3, Math.max(0, (versionOf(name) ?? 0) - 1) * 1.2)
  if (size < 8) return clamp(40 + (size / 8) * 16 + newer, 40, 60)
  return clamp(60 + 4 * Math.log2(size / 8) + newer, 60, 88)
}

/** Returns the version in a name, such as `3.5` or `4-1`. Dates and sizes are none. */
function versionOf(name: string): number | undefined {
  const found = /(?:^|[^0-9.])(\d{1,2})(?:[.-](\d))?(?![0-9.]|[bmtk](?![a-z]))/.exec(
    name.replace(/\d{4}[-.]?\d{2}[-.]?\d{2}|[-:@]\d{3,}|\d{1,4}(?:\.\d{1,3})?[bmt](?![a-z])|\d{1,4}k(?![a-z])/g, ' '),
  )
  if (!found) return undefined
  return Number(found[1]) + (found[2] === undefined ? 0 : Number(found[2]) / 10)
}

const MORE = ['max', 'ultra', 'pro', 'large', 'plus', 'premier', 'opus']
const LESS = ['mini', 'lite', 'small', 'flash', 'nano', 'micro', 'tiny', 'instant', 'fast']
const wordsOf = (name: string): number => {
  const words = name.split(/[^a-z]+/)
  return (words.some((word) => MORE.includes(word)) ? 12 : 0) - (words.some((word) => LESS.includes(word)) ? 8 : 0)
}
const clamp = (value: number, least: number, most: number): number => Math.round(Math.min(most, Math.max(least, value)))

/** Orders by score, then by age, the newer first. */
export function byScore(
  a: { readonly id: string; readonly score: number },
  b: { readonly id: string; readonly score: number },
): number {
  return b.score - a.score || b.id.localeCompare(a.id, 'en', { numeric: true })
}
