import { fork, type ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { isAbsolute, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { DevFailure } from '@mynah/contract'
import { messageOf, systemClock, type Clock } from '@mynah/kernel'
import { relativePath } from '../modules/code-location.js'
import type { PageProject } from './author-project.js'
import { endGroup, OWN_GROUP } from './child-group.js'
import type { PageMessage } from './page-watch.js'

const PAGE_WATCH = fileURLToPath(new URL('./page-watch.js', import.meta.url))
/** Such as `[ client/src/index.tsx:97:13 ]`, which the bundler prints above the line. */
const PLACE = /\[ (.{1,500}?):(\d{1,9}):(\d{1,9}) \]/
const TAG = /^\[[\w:-]{1,60}\] /
const MOST_MESSAGE = 300
/** Time in which Vite should have noticed a change, in milliseconds. */
const NOTICE_MS = 2_000

export interface PageBuilderOptions {
  readonly root: string
  readonly clock?: Clock
  readonly onStart: () => void
  readonly onResult: (failures: readonly DevFailure[]) => void
}

/** Builds pages of the console after each change, each in a child process. */
export class PageBuilder {
  readonly #options: PageBuilderOptions
  readonly #children = new Map<PageProject, ChildProcess>()
  /** The failure of each page, `undefined` for one that was built; none for one that is being built. */
  readonly #results = new Map<PageProject, DevFailure | undefined>()
  readonly #pages: readonly PageProject[]
  /** Pages whose process has ended, or notices no change. */
  readonly #refused = new Set<PageProject>()
  /** When the last build of each page began, in milliseconds since the epoch. */
  readonly #began = new Map<PageProject, number>()
  /** Cancels the next look at the files of a page. */
  readonly #looks = new Map<PageProject, () => void>()
  readonly #restarts = new Map<PageProject, Promise<void>>()
  #isClosed = false

  constructor(pages: readonly PageProject[], options: PageBuilderOptions) {
    this.#options = options
    this.#pages = pages
    if (pages.length) options.onStart()
    for (const page of pages) this.#children.set(page, this.#watch(page))
  }

  /**
   * Builds pages again that are not watched, such as one with an invalid configuration of Vite, and those of which Vite
   * has missed a change.
   */
  changed(files: readonly string[]): void {
    for (const page of this.#pages) {
      const own = files.filter((file) => file.startsWith(page.folder + sep))
      if (own.length === 0) continue
      if (this.#refused.has(page)) this.#restart(page)
      else this.#lookLater(page, own.filter(isSource))
    }
  }

  #lookLater(page: PageProject, files: readonly string[]): void {
    if (files.length === 0) return
    this.#looks.get(page)?.()
    const look = (): void => {
      this.#looks.delete(page)
      const changedAt = Math.max(...files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0))
      if (!this.#isClosed && changedAt > (this.#began.get(page) ?? 0)) this.#restart(page)
    }
    this.#looks.set(page, (this.#options.clock ?? systemClock).setTimeout(look, NOTICE_MS))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const cancel of this.#looks.values()) cancel()
    await Promise.all(this.#restarts.values())
    await Promise.all(Array.from(this.#children.values(), (child) => endGroup(child)))
  }

  #restart(page: PageProject): void {
    this.#refused.delete(page)
    // The process that is about to start reads this change too. A second one would go on for ever.
    if (this.#restarts.has(page)) return
    const restart = this.#replace(page)
      .catch((error: unknown) => this.#ended(page, this.#failure(messageOf(error), page)))
      .finally(() => this.#restarts.delete(page))
    this.#restarts.set(page, restart)
  }

  async #replace(page: PageProject): Promise<void> {
    const child = this.#children.get(page)
    this.#children.delete(page)
    if (child) await endGroup(child)
    if (!this.#isClosed) this.#children.set(page, this.#watch(page))
  }

  #watch(page: PageProject): ChildProcess {
    const child = fork(PAGE_WATCH, [JSON.stringify(page)], {
      cwd: page.folder,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, NO_COLOR: '1' },
      ...OWN_GROUP,
    })
    child.on('message', (message: PageMessage) => {
      // One that is being replaced says nothing of the files as they are now.
      if (this.#children.get(page) !== child) return
      if (message.type === 'refused') this.#refused.add(page)
      if (message.type === 'building') {
        this.#began.set(page, Date.now())
        this.#results.delete(page)
        this.#options.onStart()
      } else this.#ended(page, message.type === 'built' ? undefined : this.#failure(message.message, page))
    })
    child.on('error', (error) => this.#ended(page, this.#failure(error.message, page)))
    child.on('exit', (code) => {
      // It is replaced, or ended with the command.
      if (this.#children.get(page) !== child || this.#isClosed) return
      this.#refused.add(page)
      const how = code === null ? 'was ended by a signal' : `ended with exit code ${code}`
      this.#ended(page, this.#failure(`the process that builds the page ${how}; a change starts it again`, page))
    })
    return child
  }

  #ended(page: PageProject, failure: DevFailure | undefined): void {
    if (this.#isClosed) return
    this.#results.set(page, failure)
    if (this.#pages.every((known) => this.#results.has(known)))
      this.#options.onResult(Array.from(this.#results.values()).filter((found) => found !== undefined))
  }

  #failure(said: string, { folder }: PageProject): DevFailure {
    const { root } = this.#options
    const text = stripVTControlCharacters(said)
    const [, file, line, column] = PLACE.exec(text) ?? []
    const lines = text.split('\n').map((part) => part.trim())
    const first = lines.find((part) => part && !part.startsWith('Build failed')) ?? 'it cannot be built'
    const failure = { part: 'page', message: first.replace(TAG, '').slice(0, MOST_MESSAGE), at: Date.now() } as const
    if (file === undefined) return failure
    // The bundler names files relative to the folder in which it runs.
    const path = isAbsolute(file) ? file : resolve(folder, file)
    return { ...failure, location: { file: relativePath(path, root), line: Number(line), column: Number(column) } }
  }
}

/** Returns whether a file is written by people. The build itself writes JavaScript. */
const isSource = (file: string): boolean => /\.[cm]?tsx?$/.test(file) && !/\.d\.[cm]?ts$/.test(file)
