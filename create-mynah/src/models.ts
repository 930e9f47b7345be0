import { httpAddress } from './formats.js'

/** A family of models, and what a bot needs for it. */
interface Family {
  /** The package of the family with its range, which the plugin `ai` imports. */
  readonly package: readonly [name: string, range: string]
  /** The provider in the configuration. */
  readonly provider: string
  /** Its variables in `.env`, each with the question for it. */
  readonly variables: readonly Variable[]
}

/** A value that the person is asked for, and that `.env` keeps. */
export interface Variable {
  readonly name: string
  readonly question: string
  /** Used for an empty answer; without it the value stays empty. */
  readonly fallback?: string
  /** Makes a value for an empty answer, and where nothing is asked. */
  readonly make?: () => string
  /** Whether `.env` leaves it out when there is no answer, because the project does without it. */
  readonly isOptional?: true
  /** Returns what is wrong with an answer, which is then asked for again. */
  readonly problemOf?: (answer: string) => string | undefined
}

const key = (name: string): Variable => ({ name, question: 'Its API key? Enter to write it into .env later' })

const COMPATIBLE = ['@ai-sdk/openai-compatible', '^2.0.87'] as const

/** The families by the name in `--model`; `none` is not among them. */
export const FAMILIES = {
  openai: {
    package: ['@ai-sdk/openai', '^3.0.141'],
    provider: '{ sdk: openai, apiKey: "${OPENAI_API_KEY:-none}" }',
    variables: [key('OPENAI_API_KEY')],
  },
  anthropic: {
    package: ['@ai-sdk/anthropic', '^3.0.138'],
    provider: '{ sdk: anthropic, apiKey: "${ANTHROPIC_API_KEY:-none}" }',
    variables: [key('ANTHROPIC_API_KEY')],
  },
  google: {
    package: ['@ai-sdk/google', '^3.0.141'],
    provider: '{ sdk: google, apiKey: "${GOOGLE_GENERATIVE_AI_API_KEY:-none}" }',
    variables: [key('GOOGLE_GENERATIVE_AI_API_KEY')],
  },
  deepseek: {
    package: ['@ai-sdk/deepseek', '^2.0.69'],
    provider: '{ sdk: deepseek, apiKey: "${DEEPSEEK_API_KEY:-none}" }',
    variables: [key('DEEPSEEK_API_KEY')],
  },
  ollama: {
    package: COMPATIBLE,
    provider: '{ sdk: ollama, host: "${OLLAMA_HOST:-http://127.0.0.1:11434}" }',
    variables: [
      {
        name: 'OLLAMA_HOST',
        question: 'At which address?',
        fallback: 'http://127.0.0.1:11434',
        problemOf: httpAddress,
      },
    ],
  },
  compatible: {
    package: COMPATIBLE,
    provider:
      '{ sdk: openai-compatible, baseUrl: "${MODEL_URL:-http://127.0.0.1:8000/v1}", apiKey: "${MODEL_KEY:-none}" }',
    variables: [
      {
        name: 'MODEL_URL',
        question: 'At which address?',
        fallback: 'http://127.0.0.1:8000/v1',
        problemOf: httpAddress,
      },
      key('MODEL_KEY'),
    ],
  },
} as const satisfies Readonly<Record<string, Family>>

/** The answers to the question for a model. */
export const MODELS = ['none', ...(Object.keys(FAMILIES) as (keyof typeof FAMILIES)[])] as const
export type Model = (typeof MODELS)[number]

/** Returns the family of a model, or undefined for `none`. */
export const familyOf = (model: Model): Family | undefined => (model === 'none' ? undefined : FAMILIES[model])
