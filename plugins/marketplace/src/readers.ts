// Readers that extract the shown fields from answers of the registry while they arrive.
import { LruMap } from '@mynah/kernel/util'
import type { MarketplaceDetail } from '@mynah/contract/types'
import { toDetail, toSearchPage, type SearchPage } from './packages.js'
import type { Parts } from './json-stream.js'

type Reader<T> = () => Parts & { readonly done: () => T }

/** Maximum bytes of an answer. A document contains all versions, a search page a few hundred packages. */
export const DOCUMENT_LIMIT = 32 * 1024 * 1024
export const SEARCH_LIMIT = 4 * 1024 * 1024

const FIELDS = [
  'name',
  'dist-tags',
  'description',
  'license',
  'keywords',
  'homepage',
  'repository',
  'author',
  'readme',
  'downloads',
] as const
/** Shown fields of the newest version. */
const SHOWN = [
  'description',
  'license',
  'keywords',
  'homepage',
  'repository',
  'author',
  'engines',
  'peerDependencies',
  'mynah',
] as const
/** Maximum number of listed versions. The newest come last. */
const MAX_VERSIONS = 1_000
const MAX_TEXT = 262_144
/** Maximum size of a field of a manifest as JSON. */
const MAX_MANIFEST = 65_536

/** Truncates text and drops values that are larger than any valid manifest. */
function slim(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT)
  return JSON.stringify(value).length > MAX_MANIFEST ? undefined : value
}

/** Reads the document of the package `name`. */
export const documentReader =
  (name: string): Reader<MarketplaceDetail> =>
  () => {
    const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>
    const versions = new LruMap<string, Record<string, unknown>>(MAX_VERSIONS)
    const times = new LruMap<string, unknown>(MAX_VERSIONS)
    return {
      paths: [...FIELDS.map((field) => `$.${field}`), '$.versions.*', '$.time.*'],
      take([top, key], value) {
        if (top === 'versions' && typeof key === 'string') {
          const manifest = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
          versions.set(
            key,
            Object.fromEntries(
              SHOWN.filter((field) => Object.hasOwn(manifest, field)).map((field) => [field, slim(manifest[field])]),
            ),
          )
        } else if (top === 'time' && typeof key === 'string') times.set(key, value)
        else if (key === undefined && typeof top === 'string') fields[top] = slim(value)
      },
      done: () =>
        toDetail({ ...fields, versions: Object.fromEntries(versions), time: Object.fromEntries(times) }, name),
    }
  }

/** Reads a page of search results. */
export const searchReader =
  (packagePage: (name: string) => string): Reader<SearchPage> =>
  () => {
    const answer: Record<string, unknown> = {}
    return {
      paths: ['$.objects', '$.total'],
      take([field], value) {
        if (field === 'objects' || field === 'total') answer[field] = value
      },
      done: () => toSearchPage(answer, packagePage),
    }
  }
