import { lstat, opendir } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { FSWatcher } from 'chokidar'
import { messageOf, type Logger } from '@mynah/kernel'
import { isReadable } from './document.js'
import type { Indexer } from './indexer.js'
import type { KnowledgeStore } from './store.js'

/** A folder or a file of a base. */
export interface Root {
  readonly base: string
  /** As it is in the configuration. */
  readonly configured: string
  readonly at: string
  /** Its name in the paths of its documents. */
  readonly label: string
}

const HIDDEN = /(?:^|[/\\])(?:\.[^/\\]+|node_modules)(?:[/\\]|$)/

/**
 * Returns the folders and files of a base. One in the folder of the configuration is called as it is there, another one
 * by its last name, so that no absolute path is shown.
 */
export function rootsOf(base: string, paths: readonly string[], root: string): Root[] {
  const taken = new Set<string>()
  return paths.map((configured) => {
    const at = resolve(root, configured)
    const inside = relative(root, at)
    const isInside = inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
    const name = isInside ? inside.split(sep).join('/') : basename(at)
    let label = name
    for (let number = 2; taken.has(label); number++) label = `${name}-${number}`
    taken.add(label)
    return { base, configured, at, label }
  })
}

export interface FoldersOptions {
  readonly store: KnowledgeStore
  readonly indexer: Indexer
  readonly log: Logger
}

/** The folders of all bases: finds their documents, and notices changes. */
export class Folders {
  readonly #options: FoldersOptions
  readonly #roots: readonly Root[]
  readonly #missing = new Set<Root>()
  #watcher: FSWatcher | undefined
  #closed = false

  constructor(roots: readonly Root[], options: FoldersOptions) {
    this.#roots = roots
    this.#options = options
  }

  /** Returns the paths of a base that are not there, as they are configured. */
  missing(base: string): string[] {
    return Array.from(this.#missing)
      .filter((root) => root.base === base)
      .map(({ configured }) => configured)
  }

  /** Watches before it reads, so that no change is missed. */
  async start(): Promise<void> {
    if (this.#roots.length > 0) await this.#watch()
    await this.scan()
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#watcher?.close()
  }

  /** Finds new, changed and removed documents. Those of a folder that is not there are kept. */
  async scan(): Promise<void> {
    const { store, indexer, log } = this.#options
    const bases = new Set(this.#roots.map(({ base }) => base))
    for (const base of await store.bases()) bases.add(base)
    for (const base of bases) {
      const roots = this.#roots.filter((root) => root.base === base)
      const rows = new Map((await store.files(base)).map((row) => [row.path, row]))
      const seen = new Set<string>()
      for (const root of roots) {
        this.#missing.delete(root)
        try {
          for await (const { path, file } of documentsOf(root)) {
            if (this.#closed) return
            seen.add(path)
            indexer.add({ base, path, file })
          }
        } catch (error) {
          if (this.#closed) return
          this.#missing.add(root)
          log.warn(`failed to read ${root.configured} of ai.knowledge.${base}: ${messageOf(error)}`)
        }
      }
      const gone = [...rows.values()].filter(({ path, origin }) => origin === 'folder' && !seen.has(path))
      for (const { path } of gone) {
        const root = rootOf(roots, path)
        if (!root) indexer.add({ base, path, file: '' })
        else if (!this.#missing.has(root)) indexer.add({ base, path, file: placeOf(root, path) })
      }
    }
  }

  async #watch(): Promise<void> {
    const { watch } = await import('chokidar')
    const watcher = watch(
      this.#roots.map(({ at }) => at),
      {
        ignoreInitial: true,
        followSymlinks: false,
        ignored: (path) =>
          this.#roots.every(({ at }) => HIDDEN.test(relative(at, path).replace(/^(?:\.\.[/\\]?)+/, ''))),
      },
    )
    this.#watcher = watcher
    const changed = (path: string): void => this.#changed(path)
    watcher.on('add', changed).on('change', changed).on('unlink', changed)
    watcher.on('error', (error) => this.#options.log.warn(`failed to watch ai.knowledge: ${messageOf(error)}`))
    // The other events miss a second change shortly after a first one.
    watcher.on('raw', (_event, path, details: unknown) => {
      const watched = (details as { readonly watchedPath?: unknown } | null)?.watchedPath
      if (typeof watched === 'string' && typeof path === 'string')
        changed(basename(watched) === path ? watched : join(watched, path))
    })
    await new Promise<void>((done) => watcher.once('ready', () => done()))
  }

  #changed(file: string): void {
    for (const root of this.#roots) {
      const below = relative(root.at, file)
      if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) || HIDDEN.test(below)) continue
      if (isReadable(file)) this.#options.indexer.add({ base: root.base, path: pathOf(root, below), file })
    }
  }
}

const pathOf = ({ label }: Root, below: string): string =>
  [label, ...below.split(sep)].filter((name) => name !== '').join('/')

/** Returns the root that a document belongs to. */
function rootOf(roots: readonly Root[], path: string): Root | undefined {
  const fits = roots.filter(({ label }) => label === '' || path === label || path.startsWith(`${label}/`))
  return fits.sort((a, b) => b.label.length - a.label.length)[0]
}

const placeOf = ({ at, label }: Root, path: string): string =>
  join(at, ...(label === '' ? path : path.slice(label.length + 1)).split('/'))

/**
 * Finds the documents below a root. Links are not followed, hidden files and folders are left out.
 *
 * @throws when the root is not there
 */
async function* documentsOf(root: Root): AsyncGenerator<{ readonly path: string; readonly file: string }> {
  const found = await lstat(root.at)
  if (found.isFile()) {
    yield { path: pathOf(root, ''), file: root.at }
    return
  }
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entry of await opendir(join(root.at, folder))) {
      const below = join(folder, entry.name)
      if (HIDDEN.test(entry.name)) continue
      if (entry.isDirectory()) folders.push(below)
      else if (entry.isFile() && isReadable(entry.name)) yield { path: pathOf(root, below), file: join(root.at, below) }
    }
  }
}
