// A family of providers.
import type { FamilyName, ProviderConfig } from '../config.js'
import type { Capabilities } from '../api/models.js'

/** A family. */
export interface Family {
  readonly name: FamilyName
  /** The default address. Its path is also added to an origin without one. */
  readonly baseUrl: string
  /** Environment variable with the key. Absent when no key is needed. */
  readonly keyVariable?: string
  /** Whether results of tools may have media. */
  readonly toolMedia: boolean
  /** Whether the provider caches prefixes only at marks. */
  readonly cacheMarks: boolean
  /** Capabilities of all its models. */
  readonly capabilities?: Partial<Capabilities>
  /** Matches models that take videos. */
  readonly videoModels?: RegExp
  /** Matches models that take PDF. */
  readonly pdfModels?: RegExp
  readonly imageModel?: string
  readonly transcriptionModel?: string
  readonly speechModel?: string
  /** Returns the request headers with the key, for discovery. */
  keyHeaders(key: string | undefined): Record<string, string>
  /** The npm package of the family. */
  packageOf(config: ProviderConfig): string
}

/** `Authorization: Bearer`. */
export const bearer = (key: string | undefined): Record<string, string> =>
  key ? { authorization: `Bearer ${key}` } : {}
