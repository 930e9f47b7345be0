import {
  chmod,
  constants,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rm,
  rmdir,
  stat,
  type FileHandle,
} from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isWithin } from '../real-paths.js'
import type { ExecView, Mount, Root } from './exec-view.js'

const { O_NOFOLLOW } = constants
/** Opens a place in the tree of files, without the right to read or write there. */
export const O_PATH = 0x20_0000
/** Closed in a repository for all commands: its settings, and its submodules with theirs. */
const CLOSED = ['config', 'config.worktree', 'hooks', 'modules']
/** The rights of an owner to a folder. */
const OWN_RIGHTS = 0o700n
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

/** The repository that a command may change, but for its settings. */
export interface OpenRepository {
  readonly root: OpenRoot | 'all'
  /** The part of it that a worktree or a submodule has, from a slash on, or nothing. Its settings are closed too. */
  readonly inner: string
  /** Whether the settings are closed by bwrap, where nothing can change the mounts of a view. */
  readonly isByName?: boolean
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
  /** Files that would make a repository a part of another one, and were not there. */
  readonly #wholes: string[] = []
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
   * Returns a view with these roots. Their `.git` cannot be changed, or where it is open all but its settings can.
   *
   * @param handles takes what is opened for that; by default it is closed with the roots
   */
  async in(view: ExecView, open?: OpenRepository, handles: FileHandle[] = this.#handles): Promise<ExecView> {
    const mounts: Mount[] = []
    for (const root of this.roots) {
      const { path, writable, descriptor, git, isInner } = root
      const isOpen = open?.root === root || open?.root === 'all'
      if (isInner)
        mounts.push(...(await this.#way(root, handles)).filter(({ at }) => mounts.every((one) => one.at !== at)))
      if (!isInner || !writable) mounts.push({ source: path, at: path, writable, descriptor, isInner })
      if (git !== undefined && (!isInner || !isOpen))
        mounts.push({ source: gitOf(root), at: gitOf(root), writable: isOpen, descriptor: git, isInner })
      if (isOpen) mounts.push(...(await this.#closedIn(root, open, handles)))
    }
    return { ...view, mounts }
  }

  /** Removes what a command has made to have the settings of another repository read. */
  async tidy(): Promise<void> {
    await Promise.all(this.#wholes.map((path) => rm(path, { recursive: true, force: true })))
  }

  /** Closes the descriptors, and removes the empty folders that no other run needs. */
  async close(): Promise<void> {
    await this.tidy().catch(() => undefined)
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
    const descriptor = await openAt(this.#handles, root.path)
    const mayHaveGit = root.writable && (await stat(placeOf(descriptor))).isDirectory()
    if (!mayHaveGit || !(await this.#hasGit(descriptor))) return { ...root, descriptor }
    const handle = await this.#keep(`${placeOf(descriptor)}/.git`)
    const entry = await handle.stat()
    if (entry.isSymbolicLink()) throw new Error(`${root.path}/.git is a link`)
    const other = join(placeOf(handle.fd), 'commondir')
    if (entry.isDirectory() && !(await exists(other))) this.#wholes.push(other)
    return { ...root, descriptor, git: handle.fd }
  }

  /**
   * Opens the folders between a root and the one that it is part of, and itself where it has no mount. A command can
   * rename or remove no folder that is the place of a mount, and so cannot put another one in the place of the root.
   */
  async #way(root: OpenRoot, handles: FileHandle[]): Promise<readonly Mount[]> {
    const outer = this.roots.findLast(({ path }) => path !== root.path && isWithin(root.path, path))
    const names = relative(outer?.path ?? '/', root.path).split('/')
    const paths = names.map((_, i) => join(outer?.path ?? '/', ...names.slice(0, i + 1)))
    return Promise.all(
      paths.slice(0, root.writable ? undefined : -1).map(async (at) => {
        return { source: at, at, writable: true, descriptor: await openAt(handles, at), isInner: true }
      }),
    )
  }

  /** Opens what is closed of an open repository, and of all repositories on the way to its part. */
  async #closedIn(
    { path, git }: OpenRoot,
    { inner, isByName = false }: OpenRepository,
    handles: FileHandle[],
  ): Promise<readonly Mount[]> {
    if (git === undefined) return []
    const names = inner.split('/').slice(1)
    const folders = ['', ...names.map((_, i) => `/${names.slice(0, i + 1).join('/')}`)]
    const all = folders.flatMap((folder) => CLOSED.map((name) => `${folder}/${name}`))
    const found = await Promise.all(
      all.map(async (one): Promise<readonly Mount[]> => {
        if (`${inner}/`.startsWith(`${one}/`)) return []
        const handle = await keepIn(handles, placeOf(git) + one).catch(unlessMissing)
        // A link among them counts as missing.
        if (!handle || (await handle.stat()).isSymbolicLink()) return []
        const at = join(path, '.git', one)
        return [{ source: at, at, writable: false, descriptor: handle.fd, isInner: !isByName }]
      }),
    )
    return found.flat()
  }

  #keep(path: string): Promise<FileHandle> {
    return keepIn(this.#handles, path)
  }

  /** Makes an empty `.git` where there is none. Returns false where that cannot be. */
  async #hasGit(root: number): Promise<boolean> {
    const path = `${placeOf(root)}/.git`
    const { dev, ino, uid, gid, mode } = await stat(placeOf(root), { bigint: true })
    const key = `${dev}:${ino}`
    const isOwn = Number(uid) === process.getuid?.()
    // A command could close its own folder for this, and open it again.
    if (isOwn && (mode & OWN_RIGHTS) !== OWN_RIGHTS) await chmod(placeOf(root), Number(mode | OWN_RIGHTS) & 0o7777)
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

/** @throws Error if a part of the path is a link */
async function openAt(handles: FileHandle[], path: string): Promise<number> {
  const { fd } = await keepIn(handles, path)
  if ((await readlink(placeOf(fd))) !== path) throw new Error(`${path} leads elsewhere now`)
  return fd
}

async function keepIn(handles: FileHandle[], path: string): Promise<FileHandle> {
  const handle = await open(path, O_PATH | O_NOFOLLOW)
  handles.push(handle)
  return handle
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}

async function isEmptyFolder(path: string): Promise<boolean> {
  return (await lstat(path)).isDirectory() && (await readdir(path)).length === 0
}
