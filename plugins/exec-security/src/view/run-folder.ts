import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { lstat, mkdir, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DAY_MS, SerialQueue } from '@mynah/kernel/util'
import type { ExecOrigin } from '../api.js'
import { claimFolder } from './run-owner.js'
import { prepareEtc } from './etc.js'
import { realPath } from '../real-paths.js'

/** The folders that commands of one origin keep their files in. */
export interface OriginFolders {
  readonly home: string
  readonly tmp: string
}

const run = promisify(execFile)

const OF_ORIGINS = /^(?:home|tmp)-(.+)/
const USED = 'used-'
const GONE = 'gone-'

/** The folders that this process has open, by path. */
const OPEN = new Map<string, RunFolder>()
/** Folders are opened and closed one at a time, so that a close deletes nothing that an open relies on. */
const STEPS = new SerialQueue()

/** The folder of one host for what its commands need: `/etc`, sockets, and a home and `/tmp` for each origin. */
export class RunFolder {
  readonly path: string
  /** The home folder of the host's user. */
  readonly home: string
  /** Made for all commands, by name. */
  readonly #made = new Map<string, Promise<string>>()
  #users = 1
  /** How many commands use the folders of an origin. */
  readonly #inUse = new Map<string, number>()

  private constructor(path: string, home: string) {
    this.path = path
    this.home = home
  }

  /**
   * Opens the folder, and ends what a dead host has left running there. A host that starts again in the same process
   * shares the folder with one that is not closed yet.
   *
   * @param host the folder of the host, which gets the same folder again after a restart
   * @throws Error if another user owns the folder or may write to it
   */
  static async open(host: string | undefined, home: string): Promise<RunFolder> {
    const base = await realPath(process.env.XDG_RUNTIME_DIR || tmpdir())
    const name = host === undefined ? randomUUID() : createHash('sha256').update(host).digest('hex')
    const path = join(base, `mynah-exec-${process.getuid?.() ?? 0}-${name.slice(0, 12)}`)
    return STEPS.run(async () => {
      const open = OPEN.get(path)
      if (open) {
        open.#users++
        return open
      }
      await makeOwn(path)
      const folder = new RunFolder(path, home)
      OPEN.set(path, folder)
      return folder
    })
  }

  /** Returns the folder that is shown as `/etc`. */
  etc(): Promise<string> {
    return this.prepared('etc', prepareEtc)
  }

  /** Makes a file or a folder for all commands once, and returns its path. */
  prepared(name: string, make: (path: string) => Promise<void>): Promise<string> {
    let made = this.#made.get(name)
    if (!made) {
      const path = join(this.path, name)
      this.#made.set(name, (made = make(path).then(() => path)))
      // A full disk may be temporary.
      made.catch(() => this.#made.delete(name))
    }
    return made
  }

  /** Makes the folders of an origin. No other origin sees them. */
  async of(origin: ExecOrigin): Promise<OriginFolders> {
    const name = nameOf(origin)
    const folders = { home: join(this.path, `home-${name}`), tmp: join(this.path, `tmp-${name}`) }
    for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 })
    // A command can set the times of its own folders.
    await writeFile(join(this.path, USED + name), '')
    return folders
  }

  /** Keeps the folders of an origin while a command uses them: a link that it makes could lead their deletion out. */
  async during<T>(origin: ExecOrigin, use: () => Promise<T>): Promise<T> {
    const name = nameOf(origin)
    this.#inUse.set(name, (this.#inUse.get(name) ?? 0) + 1)
    try {
      return await use()
    } finally {
      const left = (this.#inUse.get(name) ?? 1) - 1
      if (left > 0) this.#inUse.set(name, left)
      else this.#inUse.delete(name)
    }
  }

  /** A path for the socket of one run. */
  socket(): string {
    return join(this.path, `${randomUUID().slice(0, 8)}.sock`)
  }

  /** Deletes the folders of origins that were not used for so many days. */
  async prune(keepDays: number, now: number): Promise<void> {
    for (const entry of await readdir(this.path)) {
      const path = join(this.path, entry)
      const [, name = ''] = OF_ORIGINS.exec(entry) ?? []
      if (name !== '' && (await this.#lastUse(name, path)) < now - keepDays * DAY_MS && !this.#inUse.has(name)) {
        const gone = join(this.path, `${GONE}${randomUUID()}`)
        // At once, so that a command which starts now gets a new one.
        renameSync(path, gone)
        await remove(gone)
      } else if (entry.startsWith(GONE)) {
        await remove(path)
      }
    }
  }

  /** Folders of older versions have no file of their own. */
  async #lastUse(name: string, folder: string): Promise<number> {
    const used = await stat(join(this.path, USED + name)).catch(() => stat(folder))
    return used.mtimeMs
  }

  /** Deletes everything but what commands have stored in the folders of their origins, if it is the last to close. */
  async close(keepDays: number): Promise<void> {
    await Promise.allSettled(this.#made.values())
    await STEPS.run(async () => {
      if (--this.#users > 0) return
      OPEN.delete(this.path)
      await this.#clear(keepDays)
    })
  }

  async #clear(keepDays: number): Promise<void> {
    const kept = new Set<string>()
    const entries = await readdir(this.path)
    for (const entry of entries) {
      const path = join(this.path, entry)
      const [, name = ''] = OF_ORIGINS.exec(entry) ?? []
      if (name !== '' && keepDays > 0 && !(await holdsNothing(path))) kept.add(name)
      else if (!entry.startsWith(USED)) await remove(path)
    }
    for (const entry of entries)
      if (entry.startsWith(USED) && !kept.has(entry.slice(USED.length))) await remove(join(this.path, entry))
    if (kept.size === 0) await rm(this.path, { recursive: true, force: true })
  }
}

function nameOf({ adapter, endpoint, channel, user }: ExecOrigin): string {
  const origin = JSON.stringify([adapter ?? null, endpoint ?? null, channel?.type, channel?.id, user ?? null])
  return createHash('sha256').update(origin).digest('hex').slice(0, 16)
}

/** Makes a folder, or takes over that of a dead process. */
async function makeOwn(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(path)
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
    throw new Error('the folder for commands belongs to another user or is open to others')
  await claimFolder(path)
}

/**
 * Deletes what commands have made. Where they have made it too deep for a path, or closed it, programs of the system do
 * it, which go from folder to folder.
 */
async function remove(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch {
    await run('chmod', ['-R', 'u+rwX', '--', path]).catch(() => undefined)
    await run('rm', ['-rf', '--', path])
  }
}

/** Whether there are only folders, links of the host, and empty files, such as the places of mounts. */
async function holdsNothing(folder: string): Promise<boolean> {
  // One that is too deep, or closed, is not empty.
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [undefined])) {
    if (entry === undefined) return false
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!(await holdsNothing(path))) return false
    } else if (entry.isSymbolicLink()) {
      if (!(await readlink(path)).startsWith('/')) return false
    } else if (!entry.isFile() || (await stat(path)).size > 0) {
      return false
    }
  }
  return true
}
