// Keeps discovered models in `data/model-registry-cache.json`, so that a start sends no requests.
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readDataFile } from '../data-file.js'
import { list, record, storedModel, type ModelInfo } from './model-info.js'

const MAX_BYTES = 32 * 1024 * 1024

/** The models of one provider and the time of their discovery. */
export interface CachedProvider {
  readonly models: readonly ModelInfo[]
  readonly at: number
  readonly source: string
}

/** Reads the file. Returns nothing when it is missing or invalid. Rejects when it cannot be read. */
export async function readCache(file: string): Promise<ReadonlyMap<string, CachedProvider>> {
  const content = await readDataFile(file, MAX_BYTES)
  if (content === undefined) return new Map()
  let stored: Record<string, unknown>
  try {
    stored = record(JSON.parse(content))
  } catch (error) {
    // The next discovery writes a valid file.
    if (error instanceof SyntaxError) return new Map()
    throw error
  }
  if (stored['version'] !== 1) return new Map()
  const sources = record(stored['sources'])
  return new Map(
    Object.entries(record(stored['providers'])).map(([alias, models]) => {
      const known = list(models)
        .map(storedModel)
        .filter((model) => model !== undefined)
      const source = record(sources[alias])
      const at = typeof source['at'] === 'number' ? source['at'] : Math.max(0, ...known.map(({ cachedAt }) => cachedAt))
      return [alias, { models: known, at, source: typeof source['id'] === 'string' ? source['id'] : '' }]
    }),
  )
}

/** Replaces the whole file. */
export async function writeCache(
  file: string,
  providers: ReadonlyMap<string, CachedProvider>,
  now: number,
): Promise<void> {
  const { writeFileAtomically } = await import('@mynah/kernel/files')
  await mkdir(dirname(file), { recursive: true })
  const content = {
    version: 1,
    updatedAt: now,
    providers: Object.fromEntries(Array.from(providers, ([alias, { models }]) => [alias, models])),
    sources: Object.fromEntries(Array.from(providers, ([alias, { at, source }]) => [alias, { id: source, at }])),
  }
  await writeFileAtomically(file, `${JSON.stringify(content, null, 2)}\n`)
}
