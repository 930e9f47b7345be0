import { WireError } from '@mynah/contract'
import type { Database } from '@mynah/database-api'
import { HOUSE } from '@mynah/kernel'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import { rolesOf, type Config } from './config.js'
import { knowledge as contract, MAX_UPLOAD } from './contract.js'
import { isReadable, maxBytesOf } from './document.js'
import type { Knowledge } from './knowledge.js'
import { search } from './search.js'
import type { FileRecord } from './tables.js'
import { MAX_FOUND } from './tool.js'

/** One host of a cluster reads and changes documents. */
const place = (): string => HOUSE
const { rpc } = contract

/** Returns the methods of the console. */
export function knowledgeMethods(knowledge: Knowledge, database: Database, config: () => Config): BoundMethod[] {
  const bases = (): Config['ai.knowledge'] => config()['ai.knowledge']
  const known = (base: string): string => {
    if (!Object.hasOwn(bases(), base)) throw new WireError('not_found', `There is no base "${base}" in ai.knowledge`)
    return base
  }
  return [
    method(
      rpc,
      'knowledge:list',
      async () => ({
        bases: await Promise.all(
          Object.entries(bases()).map(async ([name, base]) => ({
            name,
            paths: [...(base.paths ?? [])],
            roles: [...rolesOf(base)],
            pending: knowledge.pending(name),
            missing: knowledge.missing(name),
            ...(await figuresOf(knowledge, name)),
          })),
        ),
      }),
      { place },
    ),
    method(rpc, 'knowledge:files', async ({ base, limit = 50, after }) => {
      const rows = await knowledge.store.files(known(base), {
        limit: limit + 1,
        ...(after === undefined ? {} : { after }),
      })
      const files = rows.slice(0, limit)
      const last = files.at(-1)
      return {
        files: files.map(fileView),
        total: await knowledge.store.count(base),
        ...(rows.length > limit && last ? { nextAfter: last.path } : {}),
      }
    }),
    method(rpc, 'knowledge:search', async ({ query, base }) => ({
      found: await search(database, query, {
        bases: base === undefined ? Object.keys(bases()) : [known(base)],
        limit: MAX_FOUND,
      }),
    })),
    method(
      rpc,
      'knowledge:upload',
      async ({ base, name, base64 }) => upload(knowledge, { base: known(base), name, base64 }),
      { place },
    ),
    method(
      rpc,
      'knowledge:remove',
      async ({ base, path }) => {
        const row = await knowledge.store.file(known(base), path)
        if (!row) throw new WireError('not_found', `There is no document "${path}"`)
        if (row.origin !== 'upload')
          throw new WireError('unsupported', `"${path}" is a file of a folder: remove it there`)
        await knowledge.indexer.remove(row)
        return { success: true }
      },
      { place },
    ),
  ]
}

async function figuresOf(knowledge: Knowledge, base: string) {
  const { files, chunks, problems } = await knowledge.store.figures(base)
  return { files, chunks, problems: problems.map((problem) => ({ ...problem })) }
}

const fileView = ({ path, origin, size, chunks, indexed_at, problem }: FileRecord) => ({
  path,
  origin,
  size: Number(size),
  chunks,
  indexedAt: Number(indexed_at),
  ...(problem === null ? {} : { problem }),
})

interface UploadRequest {
  readonly base: string
  readonly name: string
  readonly base64: string
}

async function upload(knowledge: Knowledge, { base, name, base64 }: UploadRequest) {
  if (/[/\\\p{Cc}]/u.test(name)) throw new WireError('unsupported', 'The name of a document has no "/" and "\\"')
  if (!isReadable(name)) throw new WireError('unsupported', `"${name}" is of no kind that can be read`)
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > Math.min(MAX_UPLOAD, maxBytesOf(name))) throw new WireError('too_large', `"${name}" is too large`)
  const row = await knowledge.store.file(base, name)
  if (row && row.origin !== 'upload') throw new WireError('conflict', `"${name}" is a file of a folder already`)
  return knowledge.indexer.upload({ base, path: name, bytes: new Uint8Array(bytes) })
}
