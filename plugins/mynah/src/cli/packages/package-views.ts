// Lets a running process load packages that have changed. Node loads a file once for each address, and keeps the
// package.json of a folder. So changed packages, and those that use them, are linked into another folder, a view, and
// loaded from there. The next process loads node_modules again.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SerialQueue } from '@mynah/kernel/util'
import { packagesBetween } from './dependency-graph.js'
import type { Folders } from './folders.js'
import { nameAt, parseLock, type Lock, type Locked } from './lockfile.js'
import { isHost } from './peers.js'
import { linkTree } from './tree.js'

const EMPTY: Lock = new Map()
const PACKAGE = /^node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

/** The packages of a process, at its start and after each change. */
export class PackageViews {
  readonly #folders: Folders
  readonly #rootUrl: string
  #text: string
  #lock: Lock = EMPTY
  /** The content of each folder when this process could load it for the first time. */
  readonly #first = new Map<string, string>()
  readonly #added = new Set<string>()
  /** Packages whose folder holds something else by now. */
  #stale: ReadonlySet<string> = new Set()
  /** These, packages that were added since the start, and those that have lost one inside of them. */
  #changed: ReadonlySet<string> = new Set()
  /** The changed packages that each plugin runs. */
  readonly #loaded = new Map<string, string>()
  readonly #queue = new SerialQueue()

  constructor(folders: Folders) {
    this.#folders = folders
    this.#rootUrl = `${pathToFileURL(existsSync(folders.root) ? realpathSync(folders.root) : folders.root).href}/`
    this.#text = this.#read()
  }

  /** Deletes the views of former processes. No other process may run the host. */
  async removeOld(): Promise<void> {
    await rm(this.#folders.views, { recursive: true, force: true })
  }

  /** Looks at what has changed since the start. Call it after each change. */
  refresh(): void {
    const text = this.#read()
    if (text === this.#text) return
    if (this.#first.size === 0) for (const [path, one] of parsed(this.#text)) this.#first.set(path, contentOf(one))
    this.#text = text
    this.#lock = parsed(text)
    const stale = new Set<string>()
    for (const [path, one] of this.#lock) {
      const first = this.#first.get(path)
      if (first === undefined) this.#added.add(path)
      if (first === undefined) this.#first.set(path, contentOf(one))
      else if (first !== contentOf(one)) stale.add(path)
    }
    const lighter = Array.from(this.#first.keys())
      .filter((path) => !this.#lock.has(path) && path.includes('/node_modules/'))
      .map((path) => path.slice(0, path.lastIndexOf('/node_modules/')))
    this.#stale = stale
    this.#changed = new Set([...stale, ...this.#added, ...lighter])
  }

  /**
   * Returns why the packages that have changed can only be used by a new process, if so.
   *
   * @param used names of packages that code of the project itself may use
   */
  async whyRestart(used: ReadonlySet<string>): Promise<string | undefined> {
    const lock = this.#lock
    for (const path of this.#stale) {
      const name = nameAt(path)
      if (isHost(name)) return `${name} is a part of the host`
      if (lock.get(path)?.hasInstallScript) return `${name} has an install script`
      if (await this.#hasAddon(path)) return `${name} has a native addon, which a process loads once`
    }
    // Modules that stay loaded must not meet those of another version.
    for (const path of lock.keys()) {
      const name = nameAt(path)
      const isUsed = used.has(name) && path === `node_modules/${name}`
      if (!isUsed && !isHost(name)) continue
      const shared = [...packagesBetween(lock, path, this.#stale)].find((found) => this.#stale.has(found))
      if (shared === undefined) continue
      return isUsed ? `code of this project may use ${nameAt(shared)}` : `the host uses ${nameAt(shared)} too`
    }
    return undefined
  }

  /** Whether the plugin whose module is at `url` runs other packages than those that are installed. */
  isOutdated(url: string): boolean {
    const path = this.#packageOf(url)
    return path !== undefined && this.#loaded.has(path) && this.#loaded.get(path) !== this.#contentsOf(path)
  }

  /** Notes that the plugin whose module is at `url` runs what is installed. */
  setLoaded(url: string): void {
    const path = this.#packageOf(url)
    if (path !== undefined) this.#loaded.set(path, this.#contentsOf(path))
  }

  /** Returns the address from which a module is loaded now: its own, or that in a view. */
  addressOf(url: string): Promise<string> {
    return this.#queue.run(async () => {
      const path = this.#packageOf(url)
      if (path === undefined) return url
      // Nothing has loaded the folder of a package that is loaded for the first time.
      const changed = this.#loaded.has(path) ? this.#changed : this.#stale
      const shown = packagesBetween(this.#lock, path, changed)
      if (!this.#loaded.has(path)) this.setLoaded(url)
      if (shown.size === 0) return url
      return `${await this.#fill(shown)}${url.slice(this.#rootUrl.length)}`
    })
  }

  /** Links packages into the view of what is installed now. Returns its address. */
  async #fill(paths: ReadonlySet<string>): Promise<string> {
    const view = join(this.#folders.views, createHash('sha256').update(this.#text).digest('hex').slice(0, 16))
    // A folder is linked with the packages inside of it, and appears as a whole.
    for (const path of [...paths].sort()) {
      const target = join(view, path)
      if (existsSync(target)) continue
      const part = join(this.#folders.views, 'part')
      await rm(part, { recursive: true, force: true })
      await linkTree(join(this.#folders.root, path), part)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await rename(part, target)
    }
    return `${pathToFileURL(realpathSync(view)).href}/`
  }

  async #hasAddon(path: string): Promise<boolean> {
    const folder = join(this.#folders.root, path)
    if (!existsSync(folder)) return false
    const files = await readdir(folder, { recursive: true })
    return files.some((file) => file.endsWith('.node'))
  }

  #packageOf(url: string): string | undefined {
    if (!url.startsWith(this.#rootUrl)) return undefined
    return PACKAGE.exec(decodeURI(url.slice(this.#rootUrl.length)))?.[0]
  }

  #contentsOf(path: string): string {
    const between = [...packagesBetween(this.#lock, path, this.#changed)].sort()
    return between.map((one) => `${one} ${contentOf(this.#lock.get(one))}`).join()
  }

  #read(): string {
    try {
      return readFileSync(join(this.#folders.root, 'package-lock.json'), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
      throw error
    }
  }
}

const contentOf = (locked: Locked | undefined): string => `${locked?.version ?? ''} ${locked?.integrity ?? ''}`

const parsed = (text: string): Lock => (text === '' ? EMPTY : parseLock(text))
