// The working folder: paths of a model become files in it, or nothing. Links lead out of any folder, so none is followed.
import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath, type FileHandle } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { makeFolder } from '@mynah/kernel/files'
import { namesSecret } from '@mynah/plugin-exec-security/api'

/** Why a path is refused; its message may be shown. */
export class PathRefused extends Error {
  override readonly name = 'PathRefused'
}

/** Where a file lies and how it is told. */
export interface Place {
  readonly path: string
  readonly shown: string
}

/** What else than the working folder may be read: what people sent. */
const INBOUND = 'data/media/inbound'
/** Cut results lie here; written by the toolbox alone. */
export const RESULTS = '.results'

const inside = (folder: string, path: string): boolean => path === folder || path.startsWith(folder + sep)

export class Workspace {
  /** Absolute. */
  readonly root: string
  readonly #data: string
  readonly #inbound: string

  constructor(root: string, data: string) {
    this.root = resolve(root)
    this.#data = resolve(data)
    this.#inbound = join(resolve(data), 'media', 'inbound')
  }

  /** Makes the folder; gives where it is. */
  async ready(): Promise<string> {
    await makeFolder(this.root)
    return this.root
  }

  /** The place that a path of a model names: below the working folder, or for reading among what people sent. */
  place(path: string, { write = false }: { readonly write?: boolean } = {}): Place {
    if (path.includes('\0') || path.length > 1_024) throw new PathRefused('That is no path')
    const plain = path.replaceAll('\\', '/').replace(/^\.\//, '')
    const sent = plain === INBOUND || plain.startsWith(`${INBOUND}/`)
    if (sent && write) throw new PathRefused('What people sent is only read')
    const absolute = sent
      ? resolve(this.#inbound, `.${plain.slice(INBOUND.length)}`)
      : isAbsolute(plain)
        ? resolve(plain)
        : resolve(this.root, plain)
    // Even where the working folder was chosen so wide that it holds them, what the host keeps is not for tools.
    const kept = inside(this.#data, absolute) && !inside(this.#data, this.root)
    const folder =
      inside(this.root, absolute) && !kept
        ? this.root
        : !write && inside(this.#inbound, absolute)
          ? this.#inbound
          : undefined
    if (folder === undefined) throw new PathRefused('The path leads out of the working folder')
    const below = relative(folder, absolute).split(sep).join('/')
    if (below !== '' && namesSecret(below)) throw new PathRefused('Files that hold secrets are not for tools')
    if (write && (below === '' || below === RESULTS || below.startsWith(`${RESULTS}/`)))
      throw new PathRefused(below === '' ? 'A file is needed' : `${RESULTS} is written by the tools themselves`)
    return { path: absolute, shown: folder === this.root ? below || '.' : [INBOUND, below].filter(Boolean).join('/') }
  }

  /** Refuses a place whose path goes over a link, whether or not it is there yet. */
  async check({ path }: Place): Promise<void> {
    const folder = inside(this.root, path) ? this.root : this.#inbound
    let at = folder
    for (const part of relative(folder, path).split(sep).filter(Boolean)) {
      at = join(at, part)
      const found = await lstat(at).catch(missing)
      if (!found) return
      if (found.isSymbolicLink()) throw new PathRefused('Links are not followed')
      if (!found.isDirectory() && !found.isFile()) throw new PathRefused('That is neither a file nor a folder')
      if (found.isFile() && found.nlink > 1)
        throw new PathRefused('A file with several names may lie elsewhere too, and is not touched')
    }
  }

  /** Opens a file for reading; what was checked is what is open. `undefined` where there is none. */
  async open(place: Place): Promise<FileHandle | undefined> {
    await this.check(place)
    // O_NONBLOCK: a pipe put there meanwhile must not hold the call.
    const file = await open(place.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(missing)
    if (!file) return undefined
    try {
      const found = await file.stat()
      if (found.isDirectory()) throw new PathRefused('That is a folder; use list_files')
      if (!found.isFile() || found.nlink > 1) throw new PathRefused('That is no plain file')
      // A folder on the way may have become a link meanwhile.
      const folder = inside(this.root, place.path) ? this.root : this.#inbound
      if ((await realpath(place.path)) !== join(await realpath(folder), relative(folder, place.path)))
        throw new PathRefused('Links are not followed')
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Makes the folder of a file that is to be written. */
  async folderOf(place: Place): Promise<void> {
    await this.ready()
    await this.check(place)
    await mkdir(dirname(place.path), { recursive: true })
    await this.check(place)
  }
}

/** Nothing where there is nothing; anything else is a failure. */
export function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  if (error.code === 'ELOOP') throw new PathRefused('Links are not followed')
  throw error
}
