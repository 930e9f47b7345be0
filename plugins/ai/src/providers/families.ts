// The six families, each imported when one of its providers is first used.
import type { FamilyName } from '../config.js'
import { windowOf } from '../config.js'
import type { KeyedConfig, ReachableFamily } from './connection.js'
import { bearer } from './family.js'
import { loadPackage } from './load.js'
import { ownFields } from './own-fields.js'

const key = (config: KeyedConfig): { apiKey?: string } => (config.apiKey === undefined ? {} : { apiKey: config.apiKey })

const openai: ReachableFamily = {
  name: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI_API_KEY',
  toolMedia: false,
  cacheMarks: false,
  pdfModels: /^(?:gpt-4\.1|gpt-[5-9]|o4-mini|(?:gpt-4o|gpt-4o-mini|o1|o3)(?:-20\d\d|$))/,
  imageModel: 'gpt-image-1',
  transcriptionModel: 'gpt-4o-mini-transcribe',
  speechModel: 'gpt-4o-mini-tts',
  keyHeaders: bearer,
  packageOf: () => '@ai-sdk/openai',
  async connect(config, { base, fetch }) {
    const { createOpenAI } = await loadPackage('@ai-sdk/openai', () => import('@ai-sdk/openai'))
    const provider = createOpenAI({ ...key(config), baseURL: base, fetch })
    // The chat surface is the one that relays speak too.
    return {
      optionsKey: 'openai',
      language: (model) => provider.chat(model),
      image: (model) => provider.image(model),
      transcription: (model) => provider.transcription(model),
      speech: (model) => provider.speech(model),
    }
  },
}

const anthropic: ReachableFamily = {
  name: 'anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  keyVariable: 'ANTHROPIC_API_KEY',
  toolMedia: true,
  cacheMarks: true,
  // The first models of the third generation, and those before them, take none.
  pdfModels: /^claude-(?![12]|instant|3-(?:opus|sonnet|haiku))/,
  keyHeaders: (apiKey) => ({ 'anthropic-version': '2023-06-01', ...(apiKey ? { 'x-api-key': apiKey } : {}) }),
  packageOf: () => '@ai-sdk/anthropic',
  async connect(config, { base, fetch }) {
    const { createAnthropic } = await loadPackage('@ai-sdk/anthropic', () => import('@ai-sdk/anthropic'))
    const provider = createAnthropic({ ...key(config), baseURL: base, fetch })
    return { optionsKey: 'anthropic', language: (model) => provider(model) }
  },
}

const google: ReachableFamily = {
  name: 'google',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
  toolMedia: true,
  cacheMarks: false,
  imageModel: 'imagen-4.0-generate-001',
  videoModels: /^gemini-/,
  pdfModels: /^gemini-/,
  keyHeaders: (apiKey): Record<string, string> => (apiKey ? { 'x-goog-api-key': apiKey } : {}),
  packageOf: () => '@ai-sdk/google',
  async connect(config, { base, fetch }) {
    const { createGoogleGenerativeAI } = await loadPackage('@ai-sdk/google', () => import('@ai-sdk/google'))
    const provider = createGoogleGenerativeAI({ ...key(config), baseURL: base, fetch })
    return { optionsKey: 'google', language: (model) => provider(model), image: (model) => provider.image(model) }
  },
}

const deepseek: ReachableFamily = {
  name: 'deepseek',
  baseUrl: 'https://api.deepseek.com/v1',
  keyVariable: 'DEEPSEEK_API_KEY',
  toolMedia: false,
  cacheMarks: false,
  capabilities: { vision: false },
  keyHeaders: bearer,
  packageOf: () => '@ai-sdk/deepseek',
  async connect(config, { base, fetch }) {
    const { createDeepSeek } = await loadPackage('@ai-sdk/deepseek', () => import('@ai-sdk/deepseek'))
    const provider = createDeepSeek({ ...key(config), baseURL: base, fetch })
    return { optionsKey: 'deepseek', language: (model) => provider(model) }
  },
}

const compatible: ReachableFamily = {
  name: 'openai-compatible',
  baseUrl: 'https://api.cloudflare.com/v1',
  toolMedia: false,
  cacheMarks: false,
  imageModel: 'dall-e-3',
  keyHeaders: bearer,
  packageOf: () => '@ai-sdk/openai-compatible',
  async connect(config, { base, fetch }) {
    const { createOpenAICompatible } = await loadPackage(
      '@ai-sdk/openai-compatible',
      () => import('@ai-sdk/openai-compatible'),
    )
    const provider = createOpenAICompatible({
      name: 'compatible',
      ...key(config),
      baseURL: base,
      fetch,
      includeUsage: true,
      metadataExtractor: ownFields,
    })
    return {
      optionsKey: 'compatible',
      language: (model) => provider.chatModel(model),
      image: (model) => provider.imageModel(model),
    }
  },
}

/** Uses the native interface when a window is configured, since the other one silently cuts long requests. */
const ollama: ReachableFamily = {
  name: 'ollama',
  baseUrl: 'http://127.0.0.1:11434',
  toolMedia: false,
  cacheMarks: false,
  keyHeaders: bearer,
  packageOf: (config) => (windowOf(config) === undefined ? '@ai-sdk/openai-compatible' : 'ollama-ai-provider-v2'),
  async connect(config, endpoint) {
    const window = windowOf(config)
    if (window === undefined) return compatible.connect(config, endpoint.below('/v1'))
    const { createOllama } = await loadPackage('ollama-ai-provider-v2', () => import('ollama-ai-provider-v2'))
    const { base, fetch } = endpoint.below('/api')
    const provider = createOllama({ baseURL: base, fetch, headers: bearer(config.apiKey) })
    return { optionsKey: 'ollama', window, language: (model) => provider.chat(model) }
  },
}

const FAMILIES: Readonly<Record<FamilyName, ReachableFamily>> = {
  openai,
  anthropic,
  google,
  deepseek,
  ollama,
  'openai-compatible': compatible,
}

/** Returns the family of that name. */
export function familyOf(name: FamilyName): ReachableFamily {
  return FAMILIES[name]
}
