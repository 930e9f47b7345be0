import { constants, lchown, lstat, mkdir, open, readdir, readlink, rmdir, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecView, Opened, Root } from './exec-view.js'

const { O_DIRECTORY, O_NOFOLLOW } = constants
/** Opens a place in the tree of files, without the right to read or write there. */
const O_PATH = 0x20_0000
/** The settings of a repository, which no command changes. */
const SETTINGS = ['config', 'config.worktree', 'hooks']
/** Where the commands cannot make a folder either. */
const NOT_HERE = /^(?:EACCES|EPERM|EROFS)$/

/** How many runs of this process need the empty `.git` of a folder, by the folder. */
const PLACES = new Map<string, number>()

/** A root by its descriptor, so that no name in it or above it can lead elsewhere meanwhile. */
export interface OpenRoot extends Root {
  readonly descriptor: number
  /** The descriptor of its `.git`, where a command may write. */
  readonly git?: number | undefined
}

const gitOf = ({ path }: Root): string => join(path, '.git')

export const placeOf = (descriptor: number): string => `/proc/self/fd/${descriptor}`

/**
 * The roots of one run by descriptors. Where a command may write, there is a `.git`, if need be an empty folder, so
 * that something can be mounted on it and no command can make one.
 */
export class OpenRoots {
  readonly roots: OpenRoot[] = []
  readonly #handles: FileHandle[] = []
  readonly #places: { readonly key: string; readonly path: string }[] = []

  /** @throws Error if a root has become another one, or its `.git` is a link */
  static async of(roots: readonly Root[]): Promise<OpenRoots> {
    const opened = new OpenRoots()
    try {
      for (const root of roots) opened.roots.push(await opened.#open(root))
      return opened
    } catch (error) {
      await opened.close()
      throw error
    }
  }

  /**
   * Returns a view with these roots. Their `.git` cannot be changed, but for its content where `isOpen` says so, and
   * there not its settings.
   */
  async in(view: ExecView, isOpen: (root: OpenRoot) => boolean): Promise<ExecView> {
    const opened: Opened[] = []
    const roots: Root[] = []
    for (const root of this.roots) {
      const { path, writable, descriptor, git } = root
      const closed =
        git === undefined || isOpen(root) ? await this.#settings(root) : [{ path: gitOf(root), descriptor: git }]
      opened.push({ path, descriptor }, ...closed)
      roots.push({ path, writable, readOnly: closed.map((one) => one.path) })
    }
    return { ...view, roots, opened }
  }

  /** Closes the descriptors, and removes the empty folders that no other run needs. */
  async close(): Promise<void> {
    for (const { key, path } of this.#places.splice(0)) {
      const others = (PLACES.get(key) ?? 1) - 1
      if (others > 0) {
        PLACES.set(key, others)
        continue
      }
      PLACES.delete(key)
      // A repository that was made there stays.
      await rmdir(path).catch(() => undefined)
    }
    await Promise.all(this.#handles.splice(0).map((handle) => handle.close()))
  }

  async #open(root: Root): Promise<OpenRoot> {
    const { fd: descriptor } = await this.#keep(root.path, O_DIRECTORY)
    if ((await readlink(placeOf(descriptor))) !== root.path) throw new Error(`${root.path} leads elsewhere now`)
    if (!root.writable || !(await this.#hasGit(descriptor))) return { ...root, descriptor }
    const handle = await this.#keep(`${placeOf(descriptor)}/.git`)
    if ((await handle.stat()).isSymbolicLink()) throw new Error(`${root.path}/.git is a link`)
    return { ...root, descriptor, git: handle.fd }
  }

  /** Opens the settings of a repository. A link among them counts as none. */
  async #settings(root: OpenRoot): Promise<readonly Opened[]> {
    const { git } = root
    if (git === undefined) return []
    const found = await Promise.all(
      SETTINGS.map(async (name) => {
        const handle = await this.#keep(`${placeOf(git)}/${name}`).catch(() => undefined)
        if (!handle || (await handle.stat()).isSymbolicLink()) return []
        return [{ path: join(gitOf(root), name), descriptor: handle.fd }]
      }),
    )
    return found.flat()
  }

  async #keep(path: string, flags = 0): Promise<FileHandle> {
    const handle = await open(path, O_PATH | O_NOFOLLOW | flags)
    this.#handles.push(handle)
    return handle
  }

  /** Makes an empty `.git` where there is none. Returns false where that cannot be. */
  async #hasGit(root: number): Promise<boolean> {
    const path = `${placeOf(root)}/.git`
    const { dev, ino, uid, gid } = await lstat(`${placeOf(root)}/.`, { bigint: true })
    const key = `${dev}:${ino}`
    const failure = await mkdir(path).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    )
    if (NOT_HERE.test(failure?.code ?? '')) return false
    if (failure !== undefined && failure.code !== 'EEXIST') throw failure
    // One that is there already may be that of another run, or what a killed host has left.
    if (failure !== undefined && !PLACES.has(key) && !(await isEmptyFolder(path))) return true
    PLACES.set(key, (PLACES.get(key) ?? 0) + 1)
    this.#places.push({ key, path })
    if (failure === undefined) await lchown(path, Number(uid), Number(gid))
    return true
  }
}

async function isEmptyFolder(path: string): Promise<boolean> {
  return (await lstat(path)).isDirectory() && (await readdir(path)).length === 0
}
