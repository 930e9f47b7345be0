import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../run/pauses.js'
import type { ExecLimits } from './limits.js'

const MOUNT = '/sys/fs/cgroup'
const CONTROLLERS = ['pids', 'memory']
/** The group of the host itself: a group that has groups with limits may hold no process. */
const HOST = 'host'

/** Why commands get no groups of their own. */
export interface NoCgroups {
  readonly reason: string
}

/** The part of the tree of cgroups v2 that the host may change. */
export class Cgroups {
  readonly #folder: string

  #prepared: Promise<void> | undefined

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Finds the group that was delegated to the host, as by `Delegate=yes` of systemd, or why there is none. */
  static async find(mount = MOUNT, self = '/proc/self/cgroup'): Promise<Cgroups | NoCgroups> {
    const none = (reason: string): NoCgroups => ({ reason })
    try {
      const own = /^0::(\/.*)$/m.exec(await readFile(self, 'utf8'))?.[1]
      if (own === undefined) return none('there is no cgroup v2')
      // The whole machine is not a group that was delegated.
      if (own === '/') return none('the host is in no cgroup of its own')
      // After a restart of the plugin the host is in its own group already.
      const folder = join(mount, own.endsWith(`/${HOST}`) ? own.slice(0, -HOST.length - 1) : own)
      const has = (await readFile(join(folder, 'cgroup.controllers'), 'utf8')).split(/\s/)
      const missing = CONTROLLERS.filter((name) => !has.includes(name))
      if (missing.length > 0) return none(`the cgroup of the host has no controller ${missing.join(' and ')}`)
      await access(join(folder, 'cgroup.procs'), constants.W_OK)
      return new Cgroups(folder)
    } catch (error) {
      return none(`no cgroup is delegated to the host (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
    }
  }

  /** Moves the processes of the host one group down, and lets the groups of commands have limits. */
  prepare(): Promise<void> {
    return (this.#prepared ??= (async () => {
      const procs = await readFile(join(this.#folder, 'cgroup.procs'), 'utf8')
      await mkdir(join(this.#folder, HOST), { recursive: true })
      for (const pid of procs.split('\n').filter(Boolean))
        await writeFile(join(this.#folder, HOST, 'cgroup.procs'), pid)
      await writeFile(join(this.#folder, 'cgroup.subtree_control'), CONTROLLERS.map((name) => `+${name}`).join(' '))
    })())
  }

  /** Returns a group for one command. It is made when the command starts. */
  group(limits: ExecLimits): Cgroup {
    return new Cgroup(join(this.#folder, `run-${randomUUID().slice(0, 8)}`), limits)
  }
}

/** The group of one command. */
export class Cgroup {
  readonly #folder: string
  readonly #limits: ExecLimits

  constructor(folder: string, limits: ExecLimits) {
    this.#folder = folder
    this.#limits = limits
  }

  /** Makes the group, and returns a command that enters it before it becomes the given one. */
  async command(command: readonly string[]): Promise<string[]> {
    const { processes, memoryMb } = this.#limits
    await mkdir(this.#folder)
    await writeFile(join(this.#folder, 'pids.max'), String(processes))
    await writeFile(join(this.#folder, 'memory.max'), String(memoryMb * 1024 * 1024))
    const procs = join(this.#folder, 'cgroup.procs')
    return ['/bin/sh', '-c', 'echo $$ > "$1" || exit; shift; exec "$@"', '_', procs, ...command]
  }

  /** Kills what is left in the group and removes it. */
  async remove(): Promise<void> {
    await writeFile(join(this.#folder, 'cgroup.kill'), '1').catch(() => undefined)
    // The kernel refuses while a killed process is still there.
    await until(() =>
      rmdir(this.#folder).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
      ),
    )
  }
}
