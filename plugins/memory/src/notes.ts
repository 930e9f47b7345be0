// What is remembered: MEMORY.md for good, a file of notes for each day. Lines are added one after the other, whole or not at all.
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '@mynah/kernel/files'
import { rankByTerms, searchTerms } from '@mynah/plugin-agent/api'
import { textOf } from './bootstrap.js'

export const MEMORY = 'MEMORY.md'
const DAY = /^\d{4}-\d{2}-\d{2}\.md$/
const MAX_FILE = 1_000_000
const MAX_FILES = 1_000
const MAX_LINE = 2_000

/** The day of a time, in the zone of the host. */
export function dayOf(time: number): string {
  const date = new Date(time)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

export interface Recalled {
  readonly file: string
  readonly text: string
}

interface Known {
  readonly stamp: string
  readonly lines: readonly (Recalled & { readonly terms: readonly string[] })[]
}

export class Notes {
  readonly #folder: string
  #lane: Promise<unknown> = Promise.resolve()
  /** Lines of files as they were read last, by name. */
  readonly #known = new Map<string, Known>()

  constructor(data: string) {
    this.#folder = join(data, 'memory')
  }

  memory(): Promise<string | undefined> {
    return textOf(join(this.#folder, MEMORY))
  }

  today(now: number): Promise<string | undefined> {
    return textOf(join(this.#folder, `${dayOf(now)}.md`))
  }

  /** Adds lines to what is kept for good, or to the notes of the day. */
  add(lines: readonly string[], to: 'memory' | { readonly day: number }): Promise<void> {
    const name = to === 'memory' ? MEMORY : `${dayOf(to.day)}.md`
    const added = lines.map((line) => `- ${line.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE)}\n`).join('')
    return this.#inOrder(async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const path = join(this.#folder, name)
      const before = (await textOf(path)) ?? ''
      if (Buffer.byteLength(before) + Buffer.byteLength(added) > MAX_FILE)
        throw new Error(`${name} is full; it has to be shortened by hand`)
      await writeFileAtomically(path, before === '' || before.endsWith('\n') ? before + added : `${before}\n${added}`, {
        mode: 0o600,
      })
    })
  }

  /** Lines that hold the words, then those that are like them; the newest first where they fit alike. */
  async recall(query: string, most: number): Promise<readonly Recalled[]> {
    const lines = (await this.#files()).flatMap(({ lines: own }) => own)
    const wanted = query.trim().toLowerCase()
    const exact = lines.filter(({ text }) => text.toLowerCase().includes(wanted))
    const like = rankByTerms(lines, query, ({ terms }) => terms)
    return [...new Set([...exact, ...like])].slice(0, most).map(({ file, text }) => ({ file, text }))
  }

  /** All files, MEMORY first, then the newest day. What has not changed is not read again. */
  async #files(): Promise<Known[]> {
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
    for (const name of this.#known.keys()) if (!names.includes(name)) this.#known.delete(name)
    const files: Known[] = []
    for (const name of names) {
      const { mtimeMs, size } = await stat(join(this.#folder, name))
      const stamp = `${mtimeMs}/${size}`
      let known = this.#known.get(name)
      if (known?.stamp !== stamp) {
        const text = ((await textOf(join(this.#folder, name))) ?? '').slice(0, MAX_FILE)
        known = {
          stamp,
          lines: text
            .split('\n')
            .map((line) => line.trim().slice(0, MAX_LINE))
            .filter((line) => line !== '' && !line.startsWith('#'))
            .map((line) => ({ file: name, text: line.replace(/^- /, ''), terms: searchTerms(line) })),
        }
        this.#known.set(name, known)
      }
      files.push(known)
    }
    return files
  }

  #inOrder(step: () => Promise<void>): Promise<void> {
    const done = this.#lane.then(step, step)
    this.#lane = done.catch(() => {
      /* Whoever asked for it is told. */
    })
    return done
  }
}
