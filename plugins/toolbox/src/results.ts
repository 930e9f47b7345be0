import { StringDecoder } from 'node:string_decoder'
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { DAY_MS } from '@mynah/kernel/util'
import type { ToolCall } from '@mynah/plugin-ai/api'
import { RESULTS, type Workspace } from './workspace.js'

/** Bounds of one result. */
export const MAX_LINES = 2_000
export const MAX_BYTES = 50 * 1024
/** Time that complete results are kept, in milliseconds. */
const RETENTION_MS = 7 * DAY_MS

const safe = (id: string): string => id.replace(/[^\w-]/g, '_').slice(0, 80) || 'none'

/** Cuts a text to its first lines within the bounds of a result. */
export function cut(text: string): { readonly text: string; readonly cut: boolean } {
  const lines = text.split('\n')
  const kept: string[] = []
  let bytes = 0
  for (const line of lines) {
    const size = Buffer.byteLength(line) + 1
    if (kept.length === MAX_LINES) break
    if (bytes + size > MAX_BYTES + 1) {
      // A whole document may be one line. The decoder drops an incomplete character at its end.
      if (bytes <= MAX_BYTES / 2)
        kept.push(new StringDecoder('utf8').write(Buffer.from(line).subarray(0, MAX_BYTES - bytes)))
      return { text: kept.join('\n'), cut: true }
    }
    kept.push(line)
    bytes += size
  }
  if (kept.length === lines.length) return { text, cut: false }
  return { text: kept.join('\n'), cut: true }
}

/** The state of a call that may run again after a restart. */
export interface CallProgress {
  readonly started?: boolean
}

/** Keeps complete results and the progress of calls as files. */
export class Results {
  readonly #workspace: (call: Pick<ToolCall, 'origin'>) => Workspace
  readonly #clock: Clock
  readonly #log: Logger
  /** When each folder was looked through. */
  readonly #pruned = new Map<string, number>()

  constructor(workspace: (call: Pick<ToolCall, 'origin'>) => Workspace, clock: Clock, log: Logger) {
    this.#workspace = workspace
    this.#clock = clock
    this.#log = log
  }

  /** Stores a complete result. Returns the path for read_file. */
  async keep(text: string, call: Pick<ToolCall, 'turn' | 'id' | 'origin'>): Promise<string> {
    await this.#write(call, 'txt', text)
    return `${RESULTS}/${safe(call.turn)}/${safe(call.id)}.txt`
  }

  /** Returns the progress of a call before a stop. */
  async progress(call: Pick<ToolCall, 'turn' | 'id' | 'origin'>): Promise<CallProgress> {
    const path = this.#pathOf(call, 'json')
    const file = await this.#workspace(call).open({ path, shown: RESULTS })
    if (file === undefined) return {}
    try {
      return (JSON.parse(await file.readFile('utf8')) as CallProgress).started === true ? { started: true } : {}
    } finally {
      await file.close()
    }
  }

  /** Records the progress of a call before it continues. */
  async record(call: Pick<ToolCall, 'turn' | 'id' | 'origin'>, progress: CallProgress): Promise<void> {
    await this.#write(call, 'json', JSON.stringify(progress))
  }

  #pathOf(call: Pick<ToolCall, 'turn' | 'id' | 'origin'>, ending: string): string {
    return join(this.#workspace(call).root, RESULTS, safe(call.turn), `${safe(call.id)}.${ending}`)
  }

  async #write(call: Pick<ToolCall, 'turn' | 'id' | 'origin'>, ending: string, text: string): Promise<void> {
    const workspace = this.#workspace(call)
    await workspace.write({ path: this.#pathOf(call, ending) }, text, 0o600)
    const now = this.#clock.now()
    if (now - (this.#pruned.get(workspace.root) ?? -Infinity) <= DAY_MS) return
    this.#pruned.set(workspace.root, now)
    await this.#prune(workspace, now)
  }

  /** Removes old results. Called at most once a day, when a new result is stored. */
  async #prune(workspace: Workspace, now: number): Promise<void> {
    const all = join(workspace.root, RESULTS)
    const names = (await workspace.list({ path: all }, (folder) => readdir(folder))) ?? []
    for (const name of names) {
      try {
        const found = await workspace.list({ path: all }, (folder) => lstat(join(folder, name)))
        if (found === undefined || now - found.mtimeMs <= RETENTION_MS) continue
        if (found.isDirectory()) await workspace.list({ path: join(all, name) }, removeFiles)
        await workspace.list({ path: all }, (folder) => remove(join(folder, name), found.isDirectory()))
      } catch (error) {
        this.#log.warn(`failed to remove an old result: ${messageOf(error)}`)
      }
    }
  }
}

/** Removes the files in a folder. Results have no folders, and those of a command stay. */
async function removeFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (!entry.isDirectory()) await unlink(join(folder, entry.name))
}

const remove = (path: string, isFolder: boolean): Promise<void> => (isFolder ? rmdir(path) : unlink(path))
