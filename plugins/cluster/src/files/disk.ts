// The shared files of a host as they are on its disk.
import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder, writeFileAtomically } from '@mynah/kernel/files'

/** Files of the folder of a host that all hosts share. */
const FILES = ['SOUL.md', 'AGENTS.md', 'TOOLS.md', 'HEARTBEAT.md']
/** Folders that they share with all that is in them. */
const FOLDERS = ['skills', 'tools', 'agents', 'data/memory']
/** Larger files are not shared. */
export const MAX_BYTES = 1_048_576
/** Files beyond this number are not shared. */
const MAX_FILES = 2_000
/** Names that are never shared: hidden files, and packages that each machine installs. */
const LEFT_OUT = /^(?:\.|node_modules$)/

/** A file, by its path below the folder of the host. */
export interface FoundFile {
  readonly path: string
  readonly bytes: Buffer
  readonly sha: string
  readonly isExecutable: boolean
}

export const shaOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Whether a path of the database is one that hosts share. It may come from a host of another version. */
export function isShared(path: string): boolean {
  const parts = path.split('/')
  if (path.includes('\\') || parts.some((part) => part === '' || LEFT_OUT.test(part))) return false
  return FILES.includes(path) || FOLDERS.some((folder) => path.startsWith(`${folder}/`))
}

/** The shared files in the folder of a host. */
export class Disk {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** Returns a text that changes when a shared file does, without reading one. */
  async stamp(): Promise<string> {
    const stamps = await Promise.all(
      (await this.#paths()).map(async (path) => {
        const found = await lstat(join(this.#root, path)).catch(() => undefined)
        return found && `${path} ${found.size} ${found.mtimeMs} ${found.mode}`
      }),
    )
    return stamps.join('\n')
  }

  /** Returns all shared files, and the paths of those that are not shared: too large or too many ones, and links. */
  async read(): Promise<{ readonly files: ReadonlyMap<string, FoundFile>; readonly leftOut: ReadonlySet<string> }> {
    const files = new Map<string, FoundFile>()
    const leftOut = new Set<string>()
    for (const path of await this.#paths()) {
      const file = files.size < MAX_FILES ? await this.#file(path) : 'left out'
      if (file === 'left out') leftOut.add(path)
      else if (file) files.set(path, file)
    }
    return { files, leftOut }
  }

  /** Writes a file, or removes it without bytes. */
  async write(path: string, bytes: Uint8Array | undefined, isExecutable = false): Promise<void> {
    const target = join(this.#root, path)
    if (bytes === undefined) return rm(target, { force: true })
    await makeFolder(dirname(target))
    await writeFileAtomically(target, bytes, { mode: isExecutable ? 0o700 : 0o600 })
  }

  /** Keeps bytes that lost against those of another host. Returns where, below the folder of the host. */
  async setAside(path: string, bytes: Uint8Array, sha: string): Promise<string> {
    const kept = `data/conflicts/${path}.${sha.slice(0, 8)}`
    const target = join(this.#root, kept)
    await makeFolder(dirname(target))
    await writeFileAtomically(target, bytes, { mode: 0o600 })
    return kept
  }

  async #file(path: string): Promise<FoundFile | 'left out' | undefined> {
    try {
      const found = await lstat(join(this.#root, path))
      if (found.isDirectory()) return undefined
      if (!found.isFile() || found.size > MAX_BYTES) return 'left out'
      const bytes = await readFile(join(this.#root, path))
      return { path, bytes, sha: shaOf(bytes), isExecutable: (found.mode & 0o100) !== 0 }
    } catch (error) {
      // Removed meanwhile.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  async #paths(): Promise<readonly string[]> {
    const below = await Promise.all(FOLDERS.map((folder) => this.#below(folder)))
    return [...FILES, ...below.flat()].filter(isShared).sort()
  }

  async #below(folder: string): Promise<readonly string[]> {
    try {
      const names = await readdir(join(this.#root, folder), { recursive: true })
      return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return []
      throw error
    }
  }
}
