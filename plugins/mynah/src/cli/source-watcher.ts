import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { watch, type FSWatcher } from 'chokidar'

/** Files that are saved together change within this time. */
const SETTLE_MS = 20
/** The watcher leaves out a change that follows another within 50 ms, so each file is read once more after it. */
const SECOND_LOOK_MS = 120
const IGNORED_FOLDERS = new Set(['node_modules', '.git', 'data'])

/** Returns whether a file may be part of a plugin. */
export const isModule = (file: string): boolean => /\.[cm]?[jt]s$/.test(file) && !/\.d\.[cm]?ts$/.test(file)

/**
 * Watches configuration, environment files, plugin modules and pages for `mynah dev`. Ignores files that the host
 * writes itself, and those that are saved without a change.
 */
export class SourceWatcher {
  readonly #watcher: FSWatcher
  readonly #file: string
  readonly #root: string
  readonly #onChange: (changed: readonly string[]) => void
  readonly #own = new Map<string, string>()
  /** Hashes of files when they were last looked at; undefined for a file that is gone. */
  readonly #known = new Map<string, string | undefined>()
  readonly #touched = new Set<string>()
  readonly #looks = new Map<string, NodeJS.Timeout>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param onChange called with the absolute paths of files that were changed at the same time */
  constructor(file: string, onChange: (changed: readonly string[]) => void) {
    this.#file = file
    this.#onChange = onChange
    this.#root = dirname(file)
    this.#watcher = watch(this.#root, {
      ignoreInitial: true,
      atomic: true,
      ignored: (path) => this.#isIgnored(path) && !this.#added.some((folder) => path.startsWith(folder)),
    })
    this.#watcher.on('all', (event, path) => {
      if (event.endsWith('Dir') || !this.#matters(path)) return
      this.#look(path)
      clearTimeout(this.#looks.get(path))
      this.#looks.set(
        path,
        setTimeout(() => {
          this.#looks.delete(path)
          this.#look(path)
        }, SECOND_LOOK_MS),
      )
    })
  }

  readonly #added: string[] = []

  /** Resolves when watching has started. */
  ready(): Promise<void> {
    return new Promise((done) => this.#watcher.once('ready', () => done()))
  }

  #isIgnored(path: string): boolean {
    return relative(this.#root, path)
      .split(sep)
      .some((part) => IGNORED_FOLDERS.has(part))
  }

  /** Also watches the folders of modules, except installed packages. */
  addModules(modules: readonly string[]): void {
    for (const folder of new Set(modules.map((module) => dirname(module)))) {
      // A change would be lost while a folder that is watched already is read again.
      const isWatched = !relative(this.#root, folder).startsWith('..') && !this.#isIgnored(folder)
      if (isWatched || folder.split(sep).includes('node_modules') || this.#added.includes(folder)) continue
      this.#added.push(folder)
      this.#watcher.add(folder)
    }
  }

  /** Records that the host itself writes this content. */
  wrote(file: string, hash: string): void {
    this.#own.set(resolve(file), hash)
  }

  close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const timer of this.#looks.values()) clearTimeout(timer)
    return this.#watcher.close()
  }

  #matters(path: string): boolean {
    const name = basename(path)
    return (
      path === this.#file ||
      name === 'package.json' ||
      /^\.env(\.[\w-]+)?$/.test(name) ||
      name === 'tsconfig.json' ||
      name.endsWith('.tsx') ||
      isModule(name)
    )
  }

  #look(path: string): void {
    this.#touched.add(path)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#settle(), SETTLE_MS)
  }

  async #settle(): Promise<void> {
    const touched = Array.from(this.#touched)
    this.#touched.clear()
    const changed: string[] = []
    for (const path of touched) {
      const hash = await hashOf(path)
      const isSame = this.#known.has(path) && this.#known.get(path) === hash
      this.#known.set(path, hash)
      if (!isSame && (hash === undefined || hash !== this.#own.get(path))) changed.push(path)
    }
    if (changed.length && !this.#isClosed) this.#onChange(changed)
  }
}

/** Returns the hash of a file, or undefined where there is none that can be read. */
async function hashOf(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex')
}
