// What the host knows of a family of providers.
import type { FamilyName, ProviderConfig } from '../config.js'
import type { Capabilities } from '../api/models.js'

/** A family. */
export interface Family {
  readonly name: FamilyName
  /** Where its providers are unless the configuration says so; the path is added to a bare origin too. */
  readonly baseUrl: string
  /** Environment variable that its package reads; without one no key is needed. */
  readonly keyVariable?: string
  /** Results of tools may hold media. */
  readonly toolMedia: boolean
  /** Prefixes are cached where they are marked. */
  readonly cacheMarks: boolean
  /** What all its models can or cannot do. */
  readonly capabilities?: Partial<Capabilities>
  /** Models that take videos, and whose package sends them. */
  readonly videoModels?: RegExp
  readonly imageModel?: string
  readonly transcriptionModel?: string
  readonly speechModel?: string
  /** Request headers that carry the key, for discovery. */
  keyHeaders(key: string | undefined): Record<string, string>
  /** npm package that is needed. */
  packageOf(config: ProviderConfig): string
}

/** `Authorization: Bearer`. */
export const bearer = (key: string | undefined): Record<string, string> =>
  key ? { authorization: `Bearer ${key}` } : {}
