// Results cut to what a model should read; the whole is a file of the turn that can be paged. Beside it stands what a call has begun.
import { StringDecoder } from 'node:string_decoder'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { writeFileAtomically } from '@mynah/kernel/files'
import type { ToolCall } from '@mynah/plugin-ai/api'
import { missing, RESULTS, type Workspace } from './workspace.js'

/** Of one result. */
export const MAX_LINES = 2_000
export const MAX_BYTES = 50 * 1024
const KEPT_MS = 7 * 86_400_000

const safe = (id: string): string => id.replace(/[^\w-]/g, '_').slice(0, 80) || 'none'

/** The part of a text that a model reads: its head or its tail, in whole lines where there are such. */
export function cut(text: string, keep: 'head' | 'tail'): { readonly text: string; readonly cut: boolean } {
  const lines = text.split('\n')
  const ordered = keep === 'head' ? lines : lines.toReversed()
  const kept: string[] = []
  let bytes = 0
  for (const line of ordered) {
    const size = Buffer.byteLength(line) + 1
    if (kept.length === MAX_LINES || bytes + size > MAX_BYTES + 1) break
    kept.push(line)
    bytes += size
  }
  if (kept.length === lines.length) return { text, cut: false }
  if (kept.length === 0) kept.push(partOf(ordered[0] as string, keep))
  return { text: (keep === 'head' ? kept : kept.toReversed()).join('\n'), cut: true }
}

/** A piece of one long line, without half a character. */
function partOf(line: string, keep: 'head' | 'tail'): string {
  const bytes = Buffer.from(line)
  // The decoder holds an unfinished character at the end back; one at the beginning shows as bytes that only go on.
  if (keep === 'head') return new StringDecoder('utf8').write(bytes.subarray(0, MAX_BYTES))
  let from = Math.max(0, bytes.length - MAX_BYTES)
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from++
  return bytes.subarray(from).toString('utf8')
}

/** What is known of a call that may run again after a start. */
export interface Begun {
  readonly started?: boolean
}

export class Results {
  readonly #workspace: () => Workspace
  readonly #clock: Clock
  readonly #log: Logger
  #pruned = -Infinity

  constructor(workspace: () => Workspace, clock: Clock, log: Logger) {
    this.#workspace = workspace
    this.#clock = clock
    this.#log = log
  }

  /** Cuts a result; where something is left out, all of it is kept and told how to read. */
  async fit(text: string, call: Pick<ToolCall, 'turn' | 'id'>, keep: 'head' | 'tail'): Promise<string> {
    const short = cut(text, keep)
    if (!short.cut) return text
    const note = `[${keep === 'head' ? 'Only the beginning is' : 'Only the end is'} shown; all of it: read_file ${await this.keep(text, call)}]`
    return keep === 'head' ? `${short.text}\n${note}` : `${note}\n${short.text}`
  }

  /** Writes a whole result down; gives the path by which it is read. */
  async keep(text: string, call: Pick<ToolCall, 'turn' | 'id'>): Promise<string> {
    await writeFileAtomically(join(await this.#folder(call), `${safe(call.id)}.txt`), text, { mode: 0o600 })
    return `${RESULTS}/${safe(call.turn)}/${safe(call.id)}.txt`
  }

  /** What this call had begun before a stop. */
  async begun(call: Pick<ToolCall, 'turn' | 'id'>): Promise<Begun> {
    const text = await readFile(
      join(this.#workspace().root, RESULTS, safe(call.turn), `${safe(call.id)}.json`),
      'utf8',
    ).catch(missing)
    if (text === undefined) return {}
    return (JSON.parse(text) as Begun).started === true ? { started: true } : {}
  }

  /** Writes down what a call begins, before it does. */
  async begin(call: Pick<ToolCall, 'turn' | 'id'>, begun: Begun): Promise<void> {
    await writeFileAtomically(join(await this.#folder(call), `${safe(call.id)}.json`), JSON.stringify(begun), {
      mode: 0o600,
    })
  }

  async #folder({ turn }: Pick<ToolCall, 'turn'>): Promise<string> {
    const all = join(this.#workspace().root, RESULTS)
    const folder = join(all, safe(turn))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const now = this.#clock.now()
    if (now - this.#pruned > 86_400_000) {
      this.#pruned = now
      await this.#prune(all, now)
    }
    return folder
  }

  /** Old results go when new ones come, once a day: nothing ticks for it. */
  async #prune(all: string, now: number): Promise<void> {
    for (const name of await readdir(all)) {
      try {
        const { mtimeMs } = await stat(join(all, name))
        if (now - mtimeMs > KEPT_MS) await rm(join(all, name), { recursive: true, force: true })
      } catch (error) {
        this.#log.warn(`an old result could not be removed: ${messageOf(error)}`)
      }
    }
  }
}
