import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import type { Message, Notice, Request } from './model.js'

export interface Rows {
  readonly messages: Message[]
  readonly requests: Request[]
  readonly notices: Notice[]
}
export type Kind = keyof Rows
type Stored<T> = T & { readonly base: string }

interface InboxDatabase extends DBSchema {
  messages: { key: string[]; value: Stored<Message>; indexes: { recent: [string, number] } }
  requests: { key: string[]; value: Stored<Request>; indexes: { recent: [string, number] } }
  notices: { key: string[]; value: Stored<Notice>; indexes: { recent: [string, number] } }
}

const kinds = ['messages', 'requests', 'notices'] as const
/** Rows of a kind that are kept for one host. */
const MAX_ROWS: Readonly<Record<Kind, number>> = { messages: 2000, requests: 300, notices: 500 }

/** Rows that are written in one task. */
const SLICE = 20

let opening: Promise<IDBPDatabase<InboxDatabase>> | undefined

function openDatabase(): Promise<IDBPDatabase<InboxDatabase>> {
  opening ??= openDB<InboxDatabase>('mynah-inbox', 1, {
    upgrade(database) {
      for (const kind of kinds)
        database
          .createObjectStore(kind, { keyPath: ['base', 'adapter', 'endpoint', 'id'] })
          .createIndex('recent', ['base', 'timestamp'])
    },
  })
  return opening
}

const range = (base: string): IDBKeyRange => IDBKeyRange.bound([base, 0], [base, Number.MAX_SAFE_INTEGER])

/** Returns the cached rows of a host, none if the browser has no IndexedDB. */
export async function readCachedRows(base: string): Promise<Rows> {
  try {
    const database = await openDatabase()
    const [messages, requests, notices] = await Promise.all([
      database.getAllFromIndex('messages', 'recent', range(base)),
      database.getAllFromIndex('requests', 'recent', range(base)),
      database.getAllFromIndex('notices', 'recent', range(base)),
    ])
    return { messages, requests, notices }
  } catch (error) {
    if (error instanceof DOMException) return { messages: [], requests: [], notices: [] }
    throw error
  }
}

/** Caches rows, replaces those of the same id, and drops the oldest beyond the limit. */
export async function cacheRows<K extends Kind>(base: string, kind: K, rows: Rows[K]): Promise<void> {
  if (rows.length === 0) return
  try {
    const database = await openDatabase()
    // Render first. The cache can wait.
    await new Promise((resolve) => {
      setTimeout(resolve)
    })
    const work = database.transaction(kind, 'readwrite')
    // A failure below also fails the transaction, which reports it.
    work.done.catch(() => undefined)
    // Copying a hundred rows at once would block the page.
    for (let at = 0; at < rows.length; at += SLICE)
      await Promise.all(
        rows
          .slice(at, at + SLICE)
          .map((row) => work.store.put({ ...row, base } as unknown as InboxDatabase[K]['value'])),
      )
    let excess = (await work.store.index('recent' as never).count(range(base) as never)) - MAX_ROWS[kind]
    let cursor = excess > 0 ? await work.store.index('recent' as never).openCursor(range(base) as never) : null
    while (cursor && excess > 0) {
      await cursor.delete()
      excess--
      cursor = await cursor.continue()
    }
    await work.done
  } catch (error) {
    // Storage is full or disabled. The rows then last as long as the page.
    if (!(error instanceof DOMException)) throw error
  }
}
