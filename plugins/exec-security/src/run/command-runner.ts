import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, type Clock, type HostPaths } from '@mynah/kernel'
import type { ExecResult, ExecRun } from '../api.js'
import type { ExecConfig } from '../config.js'
import { FilesLauncher, NoneLauncher } from '../levels/below-wall.js'
import type { ExecLevel } from '../levels/level.js'
import { findReaper, NO_LEVELS, probeLevels, type Levels } from '../levels/probe.js'
import type { WallTools } from '../levels/view-launcher.js'
import { WallLauncher } from '../levels/wall.js'
import { Cgroups } from '../limits/cgroups.js'
import type { OpenRuns } from '../open-runs.js'
import type { ExecDecision } from '../policy/types.js'
import type { HostRule } from '../proxy/host-rules.js'
import { hostsOfRun } from '../proxy/run-hosts.js'
import { RunProxy } from '../proxy/run-proxy.js'
import type { ExecView } from '../view/exec-view.js'
import { homeOf, hostView, placesOf, rootProblem, type Places } from '../view/host-view.js'
import { once } from '../view/once.js'
import { RunFolder } from '../view/run-folder.js'
import { realPath } from '../real-paths.js'
import { changingGit } from '../git/git-command.js'
import { GitPrograms, NO_MOUNTS } from '../git/git-programs.js'
import { repositoryPrograms } from '../git/repository-programs.js'
import type { Launcher } from './launch.js'
import { isWeaker, strongestReached } from '../levels/reached-level.js'
import { runCommand, type RunResult } from './run-command.js'

/** Rules of parts that read and do nothing else. */
const READS = new Set(['read-only', 'preset:readonly', 'builtin', 'redirection', 'syntax', 'walled'])

interface CommandRunnerParts {
  readonly paths: { readonly current: HostPaths | undefined }
  /** Aborts when the plugin goes. */
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** The decision that one run is based on. */
interface RunBasis {
  readonly config: ExecConfig
  readonly decision: ExecDecision
  /** Whether the owner has approved exactly this command. */
  readonly approved: boolean
  /** Hosts that the owner has approved for this run. */
  readonly hosts: readonly string[]
}

/** Runs commands at the level that the configuration and the machine allow. */
export class CommandRunner {
  readonly #parts: CommandRunnerParts
  readonly #open: OpenRuns
  #folder: Promise<RunFolder> | undefined
  #levels: Promise<Levels> | undefined
  #known: Levels | undefined
  #cgroups: Promise<Cgroups | undefined> | undefined
  readonly #git = once(GitPrograms.find)

  /** @param open records commands whose processes could outlive them */
  constructor(parts: CommandRunnerParts, open: OpenRuns) {
    this.#parts = parts
    this.#open = open
  }

  /** Finds what works on this machine, once. */
  levels(): Promise<Levels> {
    return (this.#levels ??= this.#probe().catch((error: unknown) => {
      // The next command probes again, since a full disk may be temporary.
      this.#levels = undefined
      throw error
    }))
  }

  /** The level of commands. Until the machine has been probed, the strongest one. */
  level(config: ExecConfig): ExecLevel {
    return config['ai.agent.execSandbox'] === 'off' ? 'none' : (this.#known?.best ?? 'wall')
  }

  folder(): Promise<RunFolder> {
    return (this.#folder ??= RunFolder.open(this.#parts.paths.current?.root, homeOf(process.env.HOME)).catch(
      (error: unknown) => {
        this.#folder = undefined
        throw error
      },
    ))
  }

  /**
   * Returns why only commands that provably read may run: this machine held commands better before, or not as well as
   * the owner wants.
   */
  async hindrance(config: ExecConfig): Promise<string | undefined> {
    if (config['ai.agent.execSandbox'] === 'off') return undefined
    const { best, reached = best, reasons } = await this.levels()
    const wanted = config['ai.agent.execLevel'] ?? reached
    if (!isWeaker(best, wanted)) return undefined
    return (
      `commands were held at level ${wanted} and now could be only at ${best} (${reasons.join('; ')}): ` +
      `put that right, as mynah doctor says, or set ai.agent.execLevel to ${best}`
    )
  }

  /** Returns why no command may run in a folder, or undefined. Without a view, every folder can be used. */
  async cwdProblem(cwd: string, config: ExecConfig): Promise<string | undefined> {
    if (config['ai.agent.execSandbox'] === 'off' || (await this.levels()).best === 'none') return undefined
    return rootProblem(cwd, await this.#places(), 'the working directory')
  }

  /** Returns why no view can have a folder, or undefined. */
  async rootProblem(folder: string): Promise<string | undefined> {
    try {
      return await rootProblem(folder, await this.#places(), 'it')
    } catch (error) {
      return messageOf(error)
    }
  }

  /**
   * Returns the programs that git would run for the repository of a command, or why it cannot be kept from running any.
   * Then the command changes the repository only where the owner lets it.
   */
  async gitPrograms({ parts }: ExecDecision, cwd: string, config: ExecConfig): Promise<readonly string[]> {
    const subcommands = parts.map(({ text }) => changingGit(text)).filter((name) => name !== undefined)
    if (subcommands.length === 0 || config['ai.agent.execSandbox'] === 'off') return []
    if ((await this.levels()).best !== 'wall') return []
    const folder = join(await realPath(cwd), '.git')
    if (!(await isRepository(folder))) return []
    const git = await this.#heldGit()
    if (typeof git === 'string') return [`any program, as ${git}`]
    const found = await Promise.all(subcommands.map((name) => repositoryPrograms(name, folder)))
    return [...new Set(found.flat())]
  }

  /**
   * Runs an allowed command.
   *
   * @throws Error if it could not be started
   */
  async run(command: string, cwd: string, run: ExecRun, basis: RunBasis): Promise<ExecResult> {
    const levels = await this.#levelsFor(basis.config)
    const start = (): Promise<ExecResult> => this.#run(command, cwd, run, basis, levels)
    return levels.best === 'none' ? start() : (await this.folder()).during(run.origin, start)
  }

  async #run(command: string, cwd: string, run: ExecRun, basis: RunBasis, levels: Levels): Promise<ExecResult> {
    const { config, decision } = basis
    const { limitMs, env, onOutput, maxOutput } = run
    const signal = run.signal ? AbortSignal.any([this.#parts.signal, run.signal]) : this.#parts.signal
    const passes = config['ai.agent.execEnv']
    const hosts = hostsOfRun(config, decision, basis.hosts)
    const proxy = hosts && levels.best === 'wall' ? await this.#openProxy(hosts) : undefined
    try {
      const view = levels.best === 'none' ? undefined : await this.#view(cwd, run, basis, proxy)
      const isOpen = (await this.gitPrograms(decision, cwd, config)).length > 0
      const launcher =
        levels.wall && view
          ? await this.#wall(levels.wall, view, config, isOpen)
          : belowWall(levels, { cwd, view, config, isOnline: hosts !== undefined })
      const start = (): Promise<RunResult> =>
        runCommand(command, { cwd, limitMs, env, onOutput, maxOutput, signal, passes, launcher })
      const result = await (launcher.level === 'wall' ? start() : this.#open.during(start))
      await proxy?.close()
      return { ...result, destinations: proxy?.destinations ?? [], requested: [] }
    } finally {
      await proxy?.close()
    }
  }

  /** Deletes what commands do not keep. */
  async close(keepDays: number): Promise<void> {
    await this.#levels?.catch(() => undefined)
    const folder = await this.#folder?.catch(() => undefined)
    await folder?.close(keepDays)
  }

  async prune(keepDays: number): Promise<void> {
    if (this.#folder) await (await this.#folder).prune(keepDays, this.#parts.clock.now())
  }

  async #probe(): Promise<Levels> {
    const found = await this.#try()
    const reached = await strongestReached(this.#parts.paths.current?.data, found.best)
    return (this.#known = { ...found, reached })
  }

  async #try(): Promise<Levels> {
    let folder: RunFolder
    try {
      folder = await this.folder()
    } catch (error) {
      return { ...NO_LEVELS, reaper: await findReaper(), reasons: [messageOf(error)] }
    }
    return probeLevels(folder, this.#parts.signal)
  }

  async #levelsFor(config: ExecConfig): Promise<Levels> {
    return config['ai.agent.execSandbox'] === 'off' ? { ...NO_LEVELS, reaper: await findReaper() } : this.levels()
  }

  async #places(): Promise<Places> {
    return placesOf(await this.folder(), this.#parts.paths.current)
  }

  async #openProxy(hosts: readonly HostRule[]): Promise<RunProxy> {
    return RunProxy.open((await this.folder()).socket(), hosts)
  }

  async #view(
    cwd: string,
    { origin, base }: ExecRun,
    { config, decision, approved }: RunBasis,
    proxy: RunProxy | undefined,
  ): Promise<ExecView> {
    return hostView({
      cwd,
      base,
      origin,
      writable: approved || mayWrite(config, decision),
      granted: approved ? (decision.outside ?? []) : [],
      settings: config['ai.agent.execView'],
      paths: this.#parts.paths.current,
      run: await this.folder(),
      socket: proxy?.path,
    })
  }

  /** Finds what holds git, or why it cannot be held on this machine. */
  async #heldGit(): Promise<GitPrograms | string> {
    const { wall } = await this.levels()
    return wall?.perl === undefined ? NO_MOUNTS : this.#git()
  }

  async #wall(tools: WallTools, view: ExecView, config: ExecConfig, isOpen: boolean): Promise<Launcher> {
    const { 'ai.agent.execLimits': limits, 'ai.agent.execEnv': passes } = config
    const cgroups = await (this.#cgroups ??= openCgroups())
    const programs = await this.#heldGit()
    const git = typeof programs === 'string' ? undefined : { programs, passes }
    const run = await this.folder()
    return new WallLauncher({ tools, view, run, limits, group: () => cgroups?.group(limits), git, isOpen })
  }
}

function belowWall(
  { reaper }: Levels,
  { cwd, view, config, isOnline }: { cwd: string; view: ExecView | undefined; config: ExecConfig; isOnline: boolean },
): Launcher {
  const limits = config['ai.agent.execLimits']
  return view && reaper ? new FilesLauncher(reaper, view, limits, isOnline) : new NoneLauncher(reaper, cwd, limits)
}

/** Where the group cannot be divided after all, commands have the limits of their processes alone. */
async function openCgroups(): Promise<Cgroups | undefined> {
  const found = await Cgroups.find()
  if (!(found instanceof Cgroups)) return undefined
  return found.prepare().then(
    () => found,
    () => undefined,
  )
}

const isRepository = async (folder: string): Promise<boolean> => {
  const entry = await lstat(folder).catch(() => undefined)
  return entry?.isDirectory() === true
}

/** Whether a command gets its roots writable: only the presets `readonly` and `network` read alone. */
function mayWrite(config: ExecConfig, { parts }: Pick<ExecDecision, 'parts'>): boolean {
  const { 'ai.agent.execSecurity': security, 'ai.agent.execPreset': preset } = config
  if (security === 'full' || preset === 'development' || preset === 'custom') return true
  // A command that the owner has listed or approved may do its work.
  return parts.some(({ rule }) => !READS.has(rule) && rule !== 'preset:network')
}
