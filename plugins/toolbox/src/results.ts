import { StringDecoder } from 'node:string_decoder'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { DAY_MS } from '@mynah/kernel/util'
import { writeFileAtomically } from '@mynah/kernel/files'
import type { ToolCall } from '@mynah/plugin-ai/api'
import { ignoreMissing, RESULTS, type Workspace } from './workspace.js'

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
    await writeFileAtomically(join(await this.#folder(call), `${safe(call.id)}.txt`), text, { mode: 0o600 })
    return `${RESULTS}/${safe(call.turn)}/${safe(call.id)}.txt`
  }

  /** Returns the progress of a call before a stop. */
  async progress(call: Pick<ToolCall, 'turn' | 'id' | 'origin'>): Promise<CallProgress> {
    const text = await readFile(
      join(this.#workspace(call).root, RESULTS, safe(call.turn), `${safe(call.id)}.json`),
      'utf8',
    ).catch(ignoreMissing)
    if (text === undefined) return {}
    return (JSON.parse(text) as CallProgress).started === true ? { started: true } : {}
  }

  /** Records the progress of a call before it continues. */
  async record(call: Pick<ToolCall, 'turn' | 'id' | 'origin'>, progress: CallProgress): Promise<void> {
    await writeFileAtomically(join(await this.#folder(call), `${safe(call.id)}.json`), JSON.stringify(progress), {
      mode: 0o600,
    })
  }

  async #folder(call: Pick<ToolCall, 'turn' | 'origin'>): Promise<string> {
    const all = join(await this.#workspace(call).ready(), RESULTS)
    const folder = join(all, safe(call.turn))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const now = this.#clock.now()
    if (now - (this.#pruned.get(all) ?? -Infinity) > DAY_MS) {
      this.#pruned.set(all, now)
      await this.#prune(all, now)
    }
    return folder
  }

  /** Removes old results. Called at most once a day, when a new result is stored. */
  async #prune(all: string, now: number): Promise<void> {
    for (const name of await readdir(all)) {
      try {
        const { mtimeMs } = await stat(join(all, name))
        if (now - mtimeMs > RETENTION_MS) await rm(join(all, name), { recursive: true, force: true })
      } catch (error) {
        this.#log.warn(`failed to remove an old result: ${messageOf(error)}`)
      }
    }
  }
}
