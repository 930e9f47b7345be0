import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { watch, type FSWatcher } from 'chokidar'

const DEBOUNCE_MS = 100
const IGNORED_FOLDERS = new Set(['node_modules', '.git', 'data'])

/** Returns whether a file may be part of a plugin. */
export const isModule = (file: string): boolean => /\.[cm]?[jt]s$/.test(file) && !/\.d\.[cm]?ts$/.test(file)

/**
 * Watches configuration, environment files and plugin modules for `mynah dev`. Ignores files that the host writes
 * itself.
 */
export class SourceWatcher {
  readonly #watcher: FSWatcher
  readonly #file: string
  readonly #own = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined

  constructor(file: string, onChange: (changed: string) => void) {
    this.#file = file
    const root = dirname(file)
    this.#watcher = watch(root, {
      ignoreInitial: true,
      atomic: true,
      awaitWriteFinish: { stabilityThreshold: DEBOUNCE_MS, pollInterval: 25 },
      ignored: (path) =>
        relative(root, path)
          .split(sep)
          .some((part) => IGNORED_FOLDERS.has(part)) && !this.#added.some((folder) => path.startsWith(folder)),
    })
    this.#watcher.on('all', (event, path) => {
      if (event.endsWith('Dir') || !this.#matters(path)) return
      void this.#isOwn(path).then((own) => {
        if (own) return
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => onChange(relative(process.cwd(), path)), DEBOUNCE_MS)
      })
    })
  }

  readonly #added: string[] = []

  /** Resolves when watching has started. */
  ready(): Promise<void> {
    return new Promise((done) => this.#watcher.once('ready', () => done()))
  }

  /** Also watches the folders of modules, except installed packages. */
  addModules(modules: readonly string[]): void {
    for (const folder of new Set(modules.map((module) => dirname(module)))) {
      if (folder.split(sep).includes('node_modules') || this.#added.includes(folder)) continue
      this.#added.push(folder)
      this.#watcher.add(folder)
    }
  }

  /** Records that the host itself writes this content. */
  wrote(file: string, hash: string): void {
    this.#own.set(resolve(file), hash)
  }

  close(): Promise<void> {
    clearTimeout(this.#timer)
    return this.#watcher.close()
  }

  #matters(path: string): boolean {
    const name = basename(path)
    return (
      path === this.#file ||
      name === 'package.json' ||
      /^\.env(\.[\w-]+)?$/.test(name) ||
      (isModule(name) && !name.includes('.test.'))
    )
  }

  async #isOwn(path: string): Promise<boolean> {
    const hash = this.#own.get(path)
    if (hash === undefined) return false
    try {
      return (
        createHash('sha256')
          .update(await readFile(path, 'utf8'))
          .digest('hex') === hash
      )
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  }
}
