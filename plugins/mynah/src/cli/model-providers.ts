import { messageOf } from '@mynah/kernel'
import { valueAt } from '@mynah/kernel/loader'
import type { Finding } from './checks.js'
import { HostClient, RefusedError } from './setup/host-client.js'

/** Configuration for each known variable. */
const KEYS: readonly (readonly [variable: string, alias: string, config: string])[] = [
  ['ANTHROPIC_API_KEY', 'anthropic', 'sdk: anthropic, apiKey: "${ANTHROPIC_API_KEY}"'],
  ['OPENAI_API_KEY', 'openai', 'sdk: openai, apiKey: "${OPENAI_API_KEY}"'],
  ['GOOGLE_GENERATIVE_AI_API_KEY', 'google', 'sdk: google, apiKey: "${GOOGLE_GENERATIVE_AI_API_KEY}"'],
  ['GEMINI_API_KEY', 'google', 'sdk: google, apiKey: "${GEMINI_API_KEY}"'],
  ['DEEPSEEK_API_KEY', 'deepseek', 'sdk: deepseek, apiKey: "${DEEPSEEK_API_KEY}"'],
  [
    'OPENROUTER_API_KEY',
    'openrouter',
    'sdk: openai-compatible, baseUrl: "https://openrouter.ai/api/v1", apiKey: "${OPENROUTER_API_KEY}"',
  ],
]
const OLLAMA = 'http://127.0.0.1:11434'
const PROBE_TIMEOUT_MS = 700

type Values = Readonly<Record<string, unknown>>

/** Finds keys in the environment and an ollama on this machine that are not configured, with the YAML for them. */
export async function checkModels(values: Values, env: Readonly<Record<string, string | undefined>>): Promise<Finding> {
  const subject = 'models'
  const configured = valueAt(values, 'ai.providers')
  const providers = typeof configured === 'object' && configured !== null ? Object.entries(configured) : []
  const has = (sdk: string, key?: string): boolean =>
    providers.some(
      ([, provider]) =>
        (provider as { sdk?: unknown } | null)?.sdk === sdk &&
        (key === undefined || (provider as { apiKey?: unknown }).apiKey === key),
    )
  const found: string[] = []
  const lines = new Map<string, string>()
  for (const [variable, alias, config] of KEYS) {
    const key = env[variable]
    if (!key || lines.has(alias) || has(/sdk: ([\w-]+)/.exec(config)?.[1] ?? '', key)) continue
    found.push(`${variable} is set`)
    lines.set(alias, config)
  }
  const host = hostOf(env['OLLAMA_HOST'])
  if (!has('ollama') && (await answers(host))) {
    found.push('ollama runs on this machine')
    lines.set('ollama', host === OLLAMA ? 'sdk: ollama' : `sdk: ollama, host: "${host}"`)
  }
  const names = providers.map(([alias]) => alias).join(', ')
  if (found.length === 0)
    return {
      state: 'ok',
      subject,
      text: names ? `from ${names}` : 'no key in the environment, and no ollama on this machine',
    }
  const yaml = ['ai:', '  providers:', ...Array.from(lines, ([alias, config]) => `    ${alias}: { ${config} }`)]
  return {
    state: 'note',
    subject,
    text: `${found.join(', ')}, but no provider for ${found.length > 1 ? 'them' : 'it'} is configured`,
    remedy: ['Enable the plugin ai, and add:', ...yaml].join('\n        '),
  }
}

interface Provider {
  readonly alias: string
  readonly status: string
  readonly error?: string
}

/** Returns a finding for each provider that the running host cannot reach, or whose models it cannot list. */
export async function checkProviders(
  file: string,
  root: string,
  values: Values,
  env: NodeJS.ProcessEnv,
): Promise<Finding[]> {
  if (Object.keys((valueAt(values, 'ai.providers') as object | undefined) ?? {}).length === 0) return []
  try {
    const client = await HostClient.of(file, root, values, env)
    const { providers } = await client.call<{ providers: readonly Provider[] }>('models:list')
    return providers
      .filter(({ status }) => status === 'failed')
      .map(({ alias, error = 'it gives no reason' }) => ({
        state: 'mend',
        subject: `models of ${alias}`,
        text: `${error}${addressOf(valueAt(values, `ai.providers.${alias}`))}`,
        remedy: 'Try its settings: mynah setup model, or the page Models of the console',
      }))
  } catch (error) {
    // Without the plugin `ai` no provider is asked.
    if (error instanceof RefusedError && error.code === 'unknown_method') return []
    const text = `their servers could not be checked: ${messageOf(error)}`
    return [{ state: 'note', subject: 'models', text, remedy: 'The log of the host says more' }]
  }
}

/** Returns the configured address of a provider without credentials, if there is one. */
function addressOf(provider: unknown): string {
  const { baseUrl, host } = (provider ?? {}) as { readonly baseUrl?: unknown; readonly host?: unknown }
  const address = String(baseUrl ?? host ?? '')
  return URL.canParse(address) ? ` (${new URL(address).origin})` : ''
}

/** Returns the address in the variable of ollama. */
function hostOf(variable: string | undefined): string {
  if (!variable) return OLLAMA
  const address = /^https?:\/\//.test(variable) ? variable : `http://${variable}`
  if (!URL.canParse(address)) return OLLAMA
  const url = new URL(address)
  // ollama listens on all addresses and is reachable on loopback.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (!url.port && url.protocol === 'http:') url.port = '11434'
  return url.origin
}

async function answers(host: string): Promise<boolean> {
  try {
    const response = await fetch(`${host}/api/tags`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      redirect: 'error',
    })
    await response.body?.cancel()
    return response.ok && (response.headers.get('content-type') ?? '').includes('json')
  } catch {
    // No ollama is running.
    return false
  }
}
