import { createHash, randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const OF_ORIGINS = /^(?:home|tmp)-/

/** The folders that this process has open, by path. */
const OPEN = new Map<string, RunFolder>()
/** Folders are opened and closed one at a time, so that a close deletes nothing that an open relies on. */
const STEPS = new SerialQueue()

/** The folder of one host for what its commands need: `/etc`, sockets, and a home and `/tmp` for each origin. */
export class RunFolder {
  readonly path: string
  /** The home folder as commands see it. */
  readonly home: string
  #etc: Promise<string> | undefined
  #users = 1

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

  /** Returns the folder that is shown as `/etc`. It is made once. */
  etc(): Promise<string> {
    return (this.#etc ??= (async () => {
      const folder = join(this.path, 'etc')
      await prepareEtc(folder, this.home)
      return folder
    })().catch((error: unknown) => {
      // A full disk may be temporary.
      this.#etc = undefined
      throw error
    }))
  }

  /** Makes the folders of an origin. No other origin sees them. */
  async of({ adapter, endpoint, channel, user }: ExecOrigin): Promise<OriginFolders> {
    const origin = JSON.stringify([adapter ?? null, endpoint ?? null, channel?.type, channel?.id, user ?? null])
    const name = createHash('sha256').update(origin).digest('hex').slice(0, 16)
    const folders = { home: join(this.path, `home-${name}`), tmp: join(this.path, `tmp-${name}`) }
    const now = new Date()
    await Promise.all(
      Object.values(folders).map(async (folder) => {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await utimes(folder, now, now)
      }),
    )
    return folders
  }

  /** A path for the socket of one run. */
  socket(): string {
    return join(this.path, `${randomUUID().slice(0, 8)}.sock`)
  }

  /** Deletes the folders of origins that were not used for so many days. */
  async prune(keepDays: number, now: number): Promise<void> {
    for (const name of await readdir(this.path)) {
      if (!OF_ORIGINS.test(name)) continue
      const folder = join(this.path, name)
      if ((await stat(folder)).mtimeMs < now - keepDays * DAY_MS) await rm(folder, { recursive: true, force: true })
    }
  }

  /** Deletes everything but what commands have stored in the folders of their origins, if it is the last to close. */
  async close(keepDays: number): Promise<void> {
    await this.#etc?.catch(() => undefined)
    await STEPS.run(async () => {
      if (--this.#users > 0) return
      OPEN.delete(this.path)
      await this.#clear(keepDays)
    })
  }

  async #clear(keepDays: number): Promise<void> {
    let kept = false
    for (const name of await readdir(this.path)) {
      const path = join(this.path, name)
      if (OF_ORIGINS.test(name) && keepDays > 0 && !(await holdsNothing(path))) kept = true
      else await rm(path, { recursive: true, force: true })
    }
    if (!kept) await rm(this.path, { recursive: true, force: true })
  }
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

/** Whether there are only folders and empty files, such as the places of mounts. */
async function holdsNothing(folder: string): Promise<boolean> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!(await holdsNothing(path))) return false
    } else if (!entry.isFile() || (await stat(path)).size > 0) {
      return false
    }
  }
  return true
}
