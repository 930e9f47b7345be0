import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '@mynah/kernel/files'
import { LruMap, SerialQueue } from '@mynah/kernel/util'
import { agentFolder } from '@mynah/plugin-ai/api'
import { rankByTerms, searchTerms } from '@mynah/plugin-agent/api'
import { readText } from './bootstrap.js'

export const MEMORY = 'MEMORY.md'
const DAY = /^\d{4}-\d{2}-\d{2}\.md$/
const MAX_FILE = 1_000_000
const MAX_FILES = 1_000
const MAX_LINE = 2_000
const MAX_AGENTS = 200

/** Returns the date of a time in the zone of the host, as YYYY-MM-DD. */
export function dayOf(time: number): string {
  const date = new Date(time)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

export interface Recalled {
  readonly file: string
  readonly text: string
}

interface CachedFile {
  readonly stamp: string
  readonly lines: readonly (Recalled & { readonly terms: readonly string[] })[]
}

/** The notes of each agent. Those of `main` are in the folder of all, and those of others below it. */
export class AgentNotes {
  readonly #folder: string
  /** By agent; '' is `main`. */
  readonly #notes = new LruMap<string, Notes>(MAX_AGENTS)

  constructor(data: string) {
    this.#folder = join(data, 'memory')
  }

  of(agent: string | undefined): Notes {
    return this.#notes.getOrCreate(agent ?? '', () => new Notes(join(this.#folder, agentFolder({ agent }) ?? '.')))
  }
}

/** MEMORY.md and one file of notes per day. Lines are added atomically, one write at a time. */
export class Notes {
  readonly #folder: string
  readonly #queue = new SerialQueue()
  /** Parsed files by name. A file is parsed again when its size or time has changed. */
  readonly #cache = new Map<string, CachedFile>()

  constructor(folder: string) {
    this.#folder = folder
  }

  memory(): Promise<string | undefined> {
    return readText(join(this.#folder, MEMORY))
  }

  today(now: number): Promise<string | undefined> {
    return readText(join(this.#folder, `${dayOf(now)}.md`))
  }

  /** Adds lines to MEMORY.md or to the notes of a day. */
  add(lines: readonly string[], to: 'memory' | { readonly day: number }): Promise<void> {
    const name = to === 'memory' ? MEMORY : `${dayOf(to.day)}.md`
    const added = lines.map((line) => `- ${line.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE)}\n`).join('')
    return this.#queue.run(async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const path = join(this.#folder, name)
      const before = (await readText(path)) ?? ''
      if (Buffer.byteLength(before) + Buffer.byteLength(added) > MAX_FILE)
        throw new Error(`${name} is full; shorten it by hand`)
      await writeFileAtomically(path, before === '' || before.endsWith('\n') ? before + added : `${before}\n${added}`, {
        mode: 0o600,
      })
    })
  }

  /**
   * Finds lines that contain the query, then similar ones. Among equal matches newer ones come first. An empty query
   * finds the newest lines.
   */
  async recall(query: string, limit: number): Promise<readonly Recalled[]> {
    const lines = (await this.#files()).flatMap(({ lines: own }) => own.toReversed())
    const wanted = query.trim().toLowerCase()
    const exact = lines.filter(({ text }) => text.toLowerCase().includes(wanted))
    const like = rankByTerms(lines, query, ({ terms }) => terms)
    return [...new Set([...exact, ...like])].slice(0, limit).map(({ file, text }) => ({ file, text }))
  }

  /** Returns all files, MEMORY.md first, then the newest day. Unchanged files are not read again. */
  async #files(): Promise<CachedFile[]> {
    const names = (
      await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [] as string[]
        throw error
      })
    )
      .filter((name) => name === MEMORY || DAY.test(name))
      .sort()
      .reverse()
      .slice(0, MAX_FILES)
    for (const name of this.#cache.keys()) if (!names.includes(name)) this.#cache.delete(name)
    const files: CachedFile[] = []
    for (const name of names) {
      const { mtimeMs, size } = await stat(join(this.#folder, name))
      const stamp = `${mtimeMs}/${size}`
      let known = this.#cache.get(name)
      if (known?.stamp !== stamp) {
        const text = ((await readText(join(this.#folder, name))) ?? '').slice(0, MAX_FILE)
        known = {
          stamp,
          lines: text
            .split('\n')
            .map((line) => line.trim().slice(0, MAX_LINE))
            .filter((line) => line !== '' && !line.startsWith('#'))
            .map((line) => ({ file: name, text: line.replace(/^- /, ''), terms: searchTerms(line) })),
        }
        this.#cache.set(name, known)
      }
      files.push(known)
    }
    return files
  }
}
