// Converts documents of the registry, which are untrusted, to the shapes of the API.
import type { MarketplaceDetail, MarketplaceItem } from '@mynah/contract/types'

type Json = Record<string, unknown>
const CATEGORIES = ['adapter', 'ai', 'feature', 'game', 'service', 'tool', 'theme', 'util'] as const
/** Valid names of npm packages. */
export const NAME = /^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/
/** Maximum results of one search. */
const MAX_RESULTS = 250
const MAX_README = 262_144

const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
const own = (value: unknown, key: string): unknown =>
  Object.hasOwn(record(value), key) ? record(value)[key] : undefined
const string = (value: unknown): string => (typeof value === 'string' ? value : '')
const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
const texts = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record(value)).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
const person = (value: unknown): string =>
  typeof value === 'string' ? value : string(record(value).name) || string(record(value).username)
/** Returns an http address, or an empty text for other addresses, which must not be opened in a browser. */
const address = (value: unknown): string => {
  const text = string(value)
    .replace(/^git\+/, '')
    .replace(/^git:\/\//, 'https://')
  const bare = text.endsWith('.git') ? text.slice(0, -4) : text
  return /^https?:\/\//i.test(bare) ? bare : ''
}

const categoryOf = (keywords: readonly string[]): MarketplaceItem['category'] =>
  keywords
    .map((word) => word.toLowerCase())
    .find((word): word is MarketplaceItem['category'] => (CATEGORIES as readonly string[]).includes(word)) ?? 'util'
/** Returns milliseconds since the epoch, or null for an invalid time. */
const timeOf = (text: string): number | null => {
  const time = Date.parse(text)
  return time >= 0 ? time : null
}
const isOfficial = (name: string): boolean => name.startsWith('@mynah/')
const displayNameOf = (manifest: Json, name: string): string => string(record(manifest.mynah).displayName) || name

/** A page of search results. */
export interface SearchPage {
  readonly items: MarketplaceItem[]
  readonly total: number
}

/** Converts the answer to a search. Throws if it is invalid. */
export function toSearchPage(body: unknown, packagePage: (name: string) => string): SearchPage {
  const { objects, total } = record(body)
  if (!Array.isArray(objects)) throw new Error('its answer is not a list of packages')
  const items = objects
    .slice(0, MAX_RESULTS)
    .map((found) => toItem(found, packagePage))
    .filter((item) => item !== undefined)
  return { items, total: Number.isSafeInteger(total) && (total as number) >= 0 ? (total as number) : items.length }
}

/** Converts one result. Returns `undefined` if it is not a package. */
function toItem(found: unknown, packagePage: (name: string) => string): MarketplaceItem | undefined {
  const { package: manifest, downloads } = record(found) as { package?: unknown; downloads?: unknown }
  const fields = record(manifest)
  const name = string(fields.name)
  if (!NAME.test(name)) return undefined
  const keywords = strings(fields.keywords)
  return {
    name,
    displayName: displayNameOf(fields, name),
    version: string(fields.version),
    description: string(fields.description),
    author: person(fields.author) || person(fields.publisher),
    isOfficial: isOfficial(name),
    category: categoryOf(keywords),
    keywords,
    npm: address(record(fields.links).npm) || packagePage(name),
    downloads: { weekly: number(record(downloads).weekly), monthly: number(record(downloads).monthly) },
  }
}

/** Converts the document of a package. Throws if it is invalid or belongs to another package. */
export function toDetail(document: unknown, name: string): MarketplaceDetail {
  const fields = record(document)
  if (fields.name !== name) throw new Error('its answer is not the document of that package')
  const version = string(record(fields['dist-tags']).latest)
  const versions = Object.keys(record(fields.versions)).reverse()
  const manifest = record(own(fields.versions, version))
  const keywords = strings(manifest.keywords ?? fields.keywords)
  const published = string(own(fields.time, version))
  const repository = manifest.repository ?? fields.repository
  return {
    name,
    displayName: displayNameOf(manifest, name),
    version,
    description: string(manifest.description) || string(fields.description),
    readme: string(fields.readme).slice(0, MAX_README),
    license: string(manifest.license) || string(fields.license),
    homepage: address(manifest.homepage ?? fields.homepage),
    repository: address(typeof repository === 'string' ? repository : record(repository).url),
    author: person(manifest.author ?? fields.author),
    keywords,
    engines: texts(manifest.engines),
    peerDependencies: texts(manifest.peerDependencies),
    downloads: { weekly: number(record(fields.downloads).weekly), monthly: number(record(fields.downloads).monthly) },
    versions,
    publishedAt: timeOf(published),
    isOfficial: isOfficial(name),
    category: categoryOf(keywords),
  }
}

/** Returns whether version `a` is newer than `b`. Pre-releases come before their release. */
export function isNewer(a: string, b: string): boolean {
  const parse = (version: string): { numbers: number[]; pre: string } => {
    const [core = '', pre = ''] = version.split('+')[0]?.split(/-(.*)/s) ?? []
    return { numbers: core.split('.').map(Number), pre }
  }
  const left = parse(a)
  const right = parse(b)
  for (let index = 0; index < 3; index++) {
    const difference = (left.numbers[index] ?? 0) - (right.numbers[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  if (left.pre === right.pre) return false
  if (left.pre === '') return true
  if (right.pre === '') return false
  return left.pre.localeCompare(right.pre, 'en', { numeric: true }) > 0
}
