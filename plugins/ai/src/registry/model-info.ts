import type { Capabilities } from '../api/models.js'

/** A model that a provider has listed. */
export interface ModelInfo {
  readonly id: string
  readonly contextWindow?: number
  readonly parameterSize?: string
  readonly family?: string
  readonly quantization?: string
  readonly capabilities?: Partial<Capabilities>
  /** Milliseconds since the epoch. */
  readonly cachedAt: number
}

type Json = Record<string, unknown>
export const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const text = (value: unknown, most = 200): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= most ? value : undefined
/** Matches names of models without invisible or control characters. */
export const modelId = (value: unknown): string | undefined => {
  const id = text(value)
  return id === undefined || /[\p{C}\p{Zl}\p{Zp}]/u.test(id) || id.trim() !== id ? undefined : id
}
export const count = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined

/** Returns the model without unknown fields. */
export function modelInfo(
  fields: { readonly [K in keyof ModelInfo]: ModelInfo[K] | undefined } & {
    readonly id: string
    readonly cachedAt: number
  },
): ModelInfo {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as ModelInfo
}

/** Reads a model from the cache file, which may have been edited. */
export function storedModel(value: unknown): ModelInfo | undefined {
  const fields = record(value)
  const id = modelId(fields['id'])
  if (!id || typeof fields['cachedAt'] !== 'number') return undefined
  return modelInfo({
    id,
    cachedAt: fields['cachedAt'],
    contextWindow: count(fields['contextWindow']),
    parameterSize: text(fields['parameterSize']),
    family: text(fields['family']),
    quantization: text(fields['quantization']),
    capabilities: capabilitiesOf(fields['capabilities']),
  })
}

function capabilitiesOf(value: unknown): Partial<Capabilities> | undefined {
  const known = Object.entries(record(value)).filter(
    ([name, is]) => ['vision', 'streaming', 'toolCalling', 'thinking'].includes(name) && typeof is === 'boolean',
  )
  return known.length ? Object.fromEntries(known) : undefined
}
