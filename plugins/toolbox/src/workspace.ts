import { constants } from 'node:fs'
import { lstat, mkdir, open, type FileHandle } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { makeFolder, writeFileAtomically } from '@mynah/kernel/files'
import { namesSecret } from '@mynah/plugin-exec-security/api'

/** Thrown for a refused path. The message may be shown. */
export class PathRefused extends Error {
  override readonly name = 'PathRefused'
}

/** A file or folder of the workspace. */
export interface WorkspacePath {
  /** Absolute path. */
  readonly path: string
  /** Path as the model sees it. */
  readonly shown: string
}

/** The only other folder that may be read: files from users. */
const INBOUND = 'data/media/inbound'
/** The folder of a repository, also where names have no case. Its settings would run programs. */
const REPOSITORY = /(?:^|\/)\.git(?:\/|$)/i
/** The folder of complete results, written by the toolbox only. */
export const RESULTS = '.results'

const inside = (folder: string, path: string): boolean => path === folder || path.startsWith(folder + sep)

/** The folder in which tools work on files. Links are never followed, because they may lead out of it. */
export class Workspace {
  /** Absolute path. */
  readonly root: string
  /** The folder from which on no part of a path may be a link. */
  readonly base: string
  readonly #data: string
  readonly #inbound: string

  /** @param below the folder of an agent below `base`; default `base` itself */
  constructor(base: string, data: string, below = '.') {
    this.base = resolve(base)
    this.root = resolve(base, below)
    this.#data = resolve(data)
    this.#inbound = join(resolve(data), 'media', 'inbound')
  }

  /**
   * Creates the folder and returns its path.
   *
   * @throws PathRefused when it is behind a link
   */
  async ready(): Promise<string> {
    await makeFolder(this.base)
    await this.#assertNoLinks(this.base, this.root)
    await makeFolder(this.root)
    return this.root
  }

  /**
   * Resolves a path from a model, below the working folder or, for reading, among the files from users.
   *
   * @throws PathRefused
   */
  resolve(path: string, { write = false }: { readonly write?: boolean } = {}): WorkspacePath {
    const absolute = this.#absolute(path, write)
    const folder = this.#folderFor(absolute, write)
    if (folder === undefined) throw new PathRefused('The path leads out of the working folder')
    const below = relative(folder, absolute).split(sep).join('/')
    if (below !== '' && namesSecret(below)) throw new PathRefused('Files that hold secrets are not for tools')
    if (write && below === '') throw new PathRefused('A file is needed')
    if (write && REPOSITORY.test(below)) throw new PathRefused('A repository is changed by git alone')
    if (write && (below === RESULTS || below.startsWith(`${RESULTS}/`)))
      throw new PathRefused(`${RESULTS} is written by the tools themselves`)
    return { path: absolute, shown: folder === this.root ? below || '.' : [INBOUND, below].filter(Boolean).join('/') }
  }

  #absolute(path: string, write: boolean): string {
    if (path.includes('\0') || path.length > 1_024) throw new PathRefused('That is no path')
    const plain = path.replaceAll('\\', '/').replace(/^\.\//, '')
    if (plain === INBOUND || plain.startsWith(`${INBOUND}/`)) {
      if (write) throw new PathRefused('Files from users are read-only')
      return resolve(this.#inbound, `.${plain.slice(INBOUND.length)}`)
    }
    return isAbsolute(plain) ? resolve(plain) : resolve(this.root, plain)
  }

  /** Returns the folder of the two that contains a path and may be accessed. */
  #folderFor(absolute: string, write: boolean): string | undefined {
    // The data folder of the host is closed even when the working folder contains it.
    const isHostData = inside(this.#data, absolute) && !inside(this.#data, this.root)
    if (inside(this.root, absolute) && !isHostData) return this.root
    return !write && inside(this.#inbound, absolute) ? this.#inbound : undefined
  }

  /** @throws PathRefused when the path contains a link. The file need not exist. */
  check({ path }: Pick<WorkspacePath, 'path'>): Promise<void> {
    return this.#assertNoLinks(this.#linkFree(path), path)
  }

  #linkFree(path: string): string {
    return inside(this.root, path) ? this.base : this.#inbound
  }

  async #assertNoLinks(folder: string, path: string): Promise<void> {
    let at = folder
    for (const part of relative(folder, path).split(sep).filter(Boolean)) {
      at = join(at, part)
      const found = await lstat(at).catch(ignoreMissing)
      if (!found) return
      if (found.isSymbolicLink()) throw new PathRefused('Links are not followed')
      if (!found.isDirectory() && !found.isFile()) throw new PathRefused('That is neither a file nor a folder')
      if (found.isFile() && found.nlink > 1)
        throw new PathRefused('A file with several names may lie elsewhere too, and is not touched')
    }
  }

  /** Opens a file for reading. Returns `undefined` when it does not exist. */
  async open(place: WorkspacePath): Promise<FileHandle | undefined> {
    await this.check(place)
    if (place.path === this.#linkFree(place.path)) throw new PathRefused(FOLDER)
    // O_NONBLOCK keeps a pipe that replaced the file from blocking the call.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const file = await this.#inFolder(dirname(place.path), (folder) =>
      open(join(folder, basename(place.path)), flags).catch(ignoreMissing),
    )
    if (!file) return undefined
    try {
      const found = await file.stat()
      if (found.isDirectory()) throw new PathRefused(FOLDER)
      if (!found.isFile() || found.nlink > 1) throw new PathRefused('That is no plain file')
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Writes a file whole, and makes the folders that it needs. */
  async write(place: Pick<WorkspacePath, 'path'>, content: string | Uint8Array, mode?: number): Promise<void> {
    await this.ready()
    await this.check(place)
    const name = basename(place.path)
    const write = (folder: string): Promise<void> =>
      writeFileAtomically(join(folder, name), content, mode === undefined ? {} : { mode })
    await this.#inFolder(dirname(place.path), write, mode === undefined ? 0o777 : 0o700)
  }

  /** Calls a function with the path of a folder. It keeps its meaning while names change. */
  async list<T>(place: Pick<WorkspacePath, 'path'>, use: (folder: string) => Promise<T>): Promise<T | undefined> {
    await this.check(place)
    return this.#inFolder(place.path, use)
  }

  /**
   * Reaches a folder from the one above that no command moves, name by name and without links: a command that runs may
   * exchange any of them for a link.
   *
   * @param make the mode of missing folders, which are made
   */
  async #inFolder<T>(path: string, use: (folder: string) => Promise<T>, make?: number): Promise<T | undefined> {
    const base = this.#linkFree(path)
    if (process.platform !== 'linux') {
      if (make !== undefined) await mkdir(path, { recursive: true, mode: make })
      await this.check({ path })
      return use(path)
    }
    let handle = await openFolder(base, 0)
    try {
      for (const name of relative(base, path).split(sep).filter(Boolean)) {
        if (!handle) return undefined
        const inner = join(pathOf(handle), name)
        if (make !== undefined) await mkdir(inner, { mode: make }).catch(unlessThere)
        const next: FileHandle | undefined = await openFolder(inner, constants.O_NOFOLLOW)
        await handle.close()
        handle = next
      }
      return handle && (await use(pathOf(handle)))
    } finally {
      await handle?.close()
    }
  }
}

const FOLDER = 'That is a folder; use list_files'
/** Opens a place in the tree of files, without the right to read or write there. */
const O_PATH = 0x20_0000

const openFolder = (path: string, flags: number): Promise<FileHandle | undefined> =>
  open(path, O_PATH | constants.O_DIRECTORY | flags).catch(async (error: NodeJS.ErrnoException) => {
    // With these flags, a link is no folder.
    if (error.code === 'ENOTDIR' && (await lstat(path)).isSymbolicLink())
      throw new PathRefused('Links are not followed')
    return ignoreMissing(error)
  })

const pathOf = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** Maps errors of missing files to `undefined`, and throws others. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  if (error.code === 'ELOOP') throw new PathRefused('Links are not followed')
  throw error
}
