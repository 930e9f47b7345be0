// Asks a provider for its models. The answer is not trusted: it is limited in size and read field by field.
import type { Clock } from '@mynah/kernel'
import { isModelError, ModelError } from '../api/errors.js'
import type { Capabilities } from '../api/models.js'
import { createFailure, asModelError } from '../errors/as-model-error.js'
import type { Endpoint } from '../providers/endpoint.js'
import type { Family } from '../providers/family.js'
import { count, list, modelId, modelInfo, record, text, type ModelInfo } from './model-info.js'

const TIMEOUT_MS = 15_000
const MAX_BYTES = 16 * 1024 * 1024
const MAX_MODELS = 5_000
/** How many details are requested at the same time. */
const AT_ONCE = 6
/** Timeout of all details together. Models without details by then have none. */
const DETAILS_MS = 30_000

/** The parts of the registry that {@link ask} needs. */
export interface DiscoveryHost {
  readonly alias: string
  readonly family: Family
  readonly endpoint: Endpoint
  readonly key: string | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Models that are known already. Their details are not requested again. */
  known(id: string): ModelInfo | undefined
}

/** Returns the models of a provider. */
export async function discover(host: DiscoveryHost): Promise<ModelInfo[]> {
  try {
    return Array.from(new Map((await ask(host)).map((model) => [model.id, model])).values())
  } catch (error) {
    // The request was to the provider and not to a model.
    const { class: failure, message, status, retryAfterMs } = asModelError(error)
    throw new ModelError(failure, message.replace(/^The (?:model|provider) /, `${host.alias} `), {
      provider: host.alias,
      status,
      retryAfterMs,
    })
  }
}

async function ask(host: DiscoveryHost): Promise<ModelInfo[]> {
  switch (host.family.name) {
    case 'ollama':
      return ofOllama(host)
    case 'google':
      return ofGoogle(host)
    case 'anthropic':
      return ofList(host, '/models?limit=1000')
    default:
      return ofList(host, '/models')
  }
}

async function ofList(host: DiscoveryHost, path: string): Promise<ModelInfo[]> {
  const answer = await getJson(host, host.endpoint, path)
  const found = Array.isArray(answer) ? answer : record(answer)['data']
  if (!Array.isArray(found)) throw createFailure('server', undefined, 'its list of models is none')
  return found
    .slice(0, MAX_MODELS)
    .map((each) => {
      const fields = record(each)
      const id = modelId(fields['id']) ?? modelId(fields['name'])
      const window = [
        fields['context_length'],
        fields['context_window'],
        fields['max_model_len'],
        fields['max_context_length'],
        record(fields['meta'])['n_ctx_train'],
      ]
        .map(count)
        .find((size) => size !== undefined)
      return id === undefined
        ? undefined
        : modelInfo({
            id,
            cachedAt: host.clock.now(),
            contextWindow: window,
            parameterSize: undefined,
            family: undefined,
            quantization: undefined,
            capabilities: ofRelay(fields),
          })
    })
    .filter((model) => model !== undefined)
}

/** Relays list the inputs and parameters of a model. */
function ofRelay(fields: Record<string, unknown>): Partial<Capabilities> | undefined {
  const inputs = list(record(fields['architecture'])['input_modalities'])
  const parameters = list(fields['supported_parameters'])
  const known: { -readonly [K in keyof Capabilities]?: boolean } = {}
  if (inputs.length) known.vision = inputs.includes('image')
  if (parameters.length) {
    known.toolCalling = parameters.includes('tools')
    known.thinking = parameters.includes('reasoning')
  }
  return Object.keys(known).length ? known : undefined
}

async function ofGoogle(host: DiscoveryHost): Promise<ModelInfo[]> {
  const found = record(await getJson(host, host.endpoint, '/models?pageSize=1000'))['models']
  if (!Array.isArray(found)) throw createFailure('server', undefined, 'its list of models is none')
  return found
    .slice(0, MAX_MODELS)
    .map((each) => {
      const fields = record(each)
      const id = modelId(fields['name'])?.replace(/^models\//, '')
      const methods = list(fields['supportedGenerationMethods'])
      if (!id || (methods.length && !methods.includes('generateContent') && !methods.includes('predict')))
        return undefined
      const capabilities = typeof fields['thinking'] === 'boolean' ? { thinking: fields['thinking'] } : undefined
      return modelInfo({
        id,
        cachedAt: host.clock.now(),
        contextWindow: count(fields['inputTokenLimit']),
        parameterSize: undefined,
        family: undefined,
        quantization: undefined,
        capabilities,
      })
    })
    .filter((model) => model !== undefined)
}

/** Requests the names first, then the details of new models, several at the same time. */
async function ofOllama(host: DiscoveryHost): Promise<ModelInfo[]> {
  const endpoint = host.endpoint.below('/api')
  const tags = record(await getJson(host, endpoint, '/tags'))['models']
  if (!Array.isArray(tags)) throw createFailure('server', undefined, 'its list of models is none')
  const found = tags.slice(0, MAX_MODELS).map((tag) => ({
    id: modelId(record(tag)['name']) ?? modelId(record(tag)['model']),
    details: record(record(tag)['details']),
  }))
  const models = found.filter((model): model is typeof model & { id: string } => model.id !== undefined)
  const result: ModelInfo[] = new Array(models.length)
  const until = host.clock.now() + DETAILS_MS
  let next = 0
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, models.length) }, async () => {
      while (next < models.length) {
        const index = next++
        const { id, details } = models[index] as (typeof models)[number]
        const known = host.known(id)
        // Details that failed the last time are requested again.
        const complete = known?.contextWindow !== undefined || known?.capabilities !== undefined
        result[index] = known && complete ? known : await detailed(host, endpoint, id, details, until)
      }
    }),
  )
  return result
}

async function detailed(
  host: DiscoveryHost,
  endpoint: Endpoint,
  id: string,
  details: Record<string, unknown>,
  until: number,
): Promise<ModelInfo> {
  let shown: Record<string, unknown> = {}
  try {
    if (host.clock.now() < until) shown = record(await getJson(host, endpoint, '/show', { model: id }))
  } catch (error) {
    // A model without details can be used. A host that stops requests no more.
    if (isModelError(error) && error.class === 'aborted') throw error
  }
  const more = record(shown['details'])
  const info = record(shown['model_info'])
  const windowKey = Object.keys(info)
    .slice(0, 500)
    .find((key) => key.endsWith('.context_length'))
  const abilities = list(shown['capabilities'])
  return modelInfo({
    id,
    cachedAt: host.clock.now(),
    contextWindow: windowKey === undefined ? undefined : count(info[windowKey]),
    parameterSize: text(more['parameter_size']) ?? text(details['parameter_size']),
    family: text(more['family']) ?? text(details['family']),
    quantization: text(more['quantization_level']) ?? text(details['quantization_level']),
    capabilities: abilities.length
      ? {
          vision: abilities.includes('vision'),
          toolCalling: abilities.includes('tools'),
          thinking: abilities.includes('thinking'),
        }
      : undefined,
  })
}

async function getJson(
  { family, key, clock, signal }: DiscoveryHost,
  endpoint: Endpoint,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const abort = new AbortController()
  const stop = (): void => abort.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const cancel = clock.setTimeout(
    () =>
      abort.abort(createFailure('timeout', undefined, `its list of models did not come within ${TIMEOUT_MS / 1000} s`)),
    TIMEOUT_MS,
  )
  try {
    const response = await endpoint.fetch(`${endpoint.base}${path}`, {
      headers: {
        accept: 'application/json',
        ...family.keyHeaders(key),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: abort.signal,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    const content = await read(response)
    if (!response.ok)
      throw asModelError(
        {
          statusCode: response.status,
          responseBody: content,
          responseHeaders: Object.fromEntries(response.headers),
          message: '',
        },
        undefined,
        endpoint.secrets,
      )
    return JSON.parse(content)
  } catch (error) {
    if (signal.aborted) throw new ModelError('aborted', 'The host stops')
    const reason: unknown = abort.signal.aborted ? abort.signal.reason : error
    throw error instanceof SyntaxError
      ? createFailure('server', undefined, 'its list of models is not JSON')
      : asModelError(reason, undefined, endpoint.secrets)
  } finally {
    cancel()
    signal.removeEventListener('abort', stop)
  }
}

async function read(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length
    if (size > MAX_BYTES) throw createFailure('server', undefined, 'its list of models is too long')
    chunks.push(chunk as Uint8Array)
  }
  return Buffer.concat(chunks).toString('utf8')
}
