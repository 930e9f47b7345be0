import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { messageOf } from '@mynah/kernel'
import type { ExecLevel } from './level.js'
import { FilesLauncher, type Reaper } from './below-wall.js'
import { reaperProgram } from './reaper.js'
import { Unprivileged } from './unprivileged.js'
import { ViewLauncher, type WallTools } from './view-launcher.js'
import { DEFAULT_LIMITS } from '../limits/limits.js'
import { findBridge } from '../proxy/find-bridge.js'
import { runCommand } from '../run/run-command.js'
import type { Launcher } from '../run/launch.js'
import { seccompFilter } from '../seccomp/filter.js'
import type { ExecView } from '../view/exec-view.js'
import type { RunFolder } from '../view/run-folder.js'
import { findProgram } from '../view/tools.js'

/**
 * Milliseconds of each try. A machine that is too busy for the first one is not a machine without the level, so the
 * second may take long.
 */
const TRIES_MS = [30_000, 300_000] as const
/** Signs of a machine that is short of processes, memory or descriptors for a moment. */
const BUSY = /EAGAIN|ENOMEM|EMFILE|ENFILE|Resource temporarily unavailable|Cannot allocate memory|Too many open files/
/** The number of the first processes in a process namespace of its own. */
const FEW = 100

/** The levels that work on this machine, and what they work with. */
export interface Levels {
  /** The strongest level that works. */
  readonly best: ExecLevel
  readonly wall: WallTools | undefined
  readonly reaper: Reaper | undefined
  /** Why the stronger levels do not work. */
  readonly reasons: readonly string[]
  /** The strongest level that this machine has ever had; `best` by default. */
  readonly reached?: ExecLevel
}

/** Level `none`, whatever would work here. */
export const NO_LEVELS: Levels = { best: 'none', wall: undefined, reaper: undefined, reasons: [] }

/**
 * Finds the strongest level that works here, by running a command with its real arguments that tries what the level
 * forbids: many machines have the programs and forbid what they do.
 *
 * @param run where the files of the probe are made
 * @param signal ends the probe
 * @param triesMs the time of each try of a level. After the last one the level counts as one that does not work
 */
export async function probeLevels(
  run: RunFolder,
  signal?: AbortSignal,
  triesMs: readonly number[] = TRIES_MS,
): Promise<Levels> {
  const reaper = await findReaper()
  if (process.platform !== 'linux')
    return { ...NO_LEVELS, reaper: undefined, reasons: [`there are no levels for ${process.platform}`] }
  const wall = await findWall(run)
  const reasons: string[] = []
  if (typeof wall === 'string') {
    reasons.push(wall)
  } else {
    const attempt = (isInert: boolean): Promise<string | undefined> =>
      tryLevel(
        run,
        (view) => new ViewLauncher({ ...wall, perl: reaper?.perl }, { ...view, isInert }, DEFAULT_LIMITS),
        signal,
        triesMs,
      )
    const problem = await attempt(false)
    if (problem === undefined) {
      const canBeInert = reaper !== undefined && (await attempt(true)) === undefined
      return { best: 'wall', wall: { ...wall, perl: canBeInert ? reaper.perl : undefined }, reaper, reasons }
    }
    reasons.push(`bwrap does not work here: ${problem}`)
  }
  if (reaper === undefined) return { ...NO_LEVELS, reasons: [...reasons, 'perl is not installed'] }
  const problem = await tryFiles(run, reaper, signal, triesMs)
  return problem === undefined
    ? { best: 'files', wall: undefined, reaper, reasons }
    : { best: 'none', wall: undefined, reaper, reasons: [...reasons, `Landlock does not work here: ${problem}`] }
}

/** Tries level `files`. Returns what it does not hold, or undefined. */
export const tryFiles = (
  run: RunFolder,
  reaper: Reaper,
  signal?: AbortSignal,
  triesMs: readonly number[] = TRIES_MS,
): Promise<string | undefined> =>
  tryLevel(run, (view) => new FilesLauncher(reaper, view, DEFAULT_LIMITS, false), signal, triesMs)

async function findWall(run: RunFolder): Promise<WallTools | string> {
  const bwrap = await findProgram('bwrap')
  if (bwrap === undefined) return 'bwrap is not installed'
  const filter = seccompFilter(process.arch)
  if (filter === undefined) return `there is no seccomp filter for ${process.arch}`
  return { bwrap, filter, bridge: await findBridge(), unprivileged: await Unprivileged.find(run.path) }
}

/** Finds what ends the processes of a command below level `wall`. */
export async function findReaper(): Promise<Reaper | undefined> {
  const [perl, program] = [await findProgram('perl'), reaperProgram()]
  return perl === undefined || program === undefined ? undefined : { perl, program }
}

/** Tries a level, again where the machine was too busy. Returns what the level does not hold. */
async function tryLevel(
  run: RunFolder,
  launcherOf: (view: ExecView) => Launcher,
  signal: AbortSignal | undefined,
  triesMs: readonly number[],
): Promise<string | undefined> {
  let found: Tried = { problem: 'it was not tried', isBusy: true }
  for (const limitMs of triesMs) {
    if (!found.isBusy || signal?.aborted === true) break
    found = await tryOnce(run, launcherOf, signal, limitMs)
  }
  return found.problem
}

interface Tried {
  readonly problem: string | undefined
  /** Whether the problem may be that of a busy machine. */
  readonly isBusy: boolean
}

/** Runs the canaries at a level. */
async function tryOnce(
  run: RunFolder,
  launcherOf: (view: ExecView) => Launcher,
  signal: AbortSignal | undefined,
  limitMs: number,
): Promise<Tried> {
  const folder = join(run.path, `probe-${randomUUID().slice(0, 8)}`)
  const [root, canary, secret] = [join(folder, 'root'), join(folder, 'canary'), randomUUID()]
  const server = createServer((socket) => socket.destroy())
  let reached = 0
  server.on('connection', () => reached++)
  try {
    for (const name of ['root', 'tmp', 'home']) await mkdir(join(folder, name), { recursive: true, mode: 0o700 })
    await writeFile(canary, secret, { mode: 0o600 })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const launcher = launcherOf({
      cwd: root,
      roots: [{ path: root, writable: true }],
      etc: await run.etc(),
      tmp: join(folder, 'tmp'),
      home: join(folder, 'home'),
      files: [],
      tools: [],
      covered: [],
    })
    const { port } = server.address() as AddressInfo
    const { output, timedOut } = await runCommand(canaries(canary, port, launcher.level), {
      cwd: root,
      limitMs,
      launcher,
      signal,
    })
    const works = await readFile(join(root, 'works'), 'utf8').catch(() => undefined)
    if ((await readFile(canary, 'utf8')) !== secret)
      return { problem: 'a command changes files outside of its view', isBusy: false }
    // Some canaries were not tried.
    if (timedOut) return { problem: `the probe did not end within ${limitMs} ms`, isBusy: true }
    if (works === undefined) return failed(output.trim().slice(0, 300) || 'it ran and left nothing')
    return { problem: broken(launcher.level, { output, secret, reached, pid: Number(works) }), isBusy: false }
  } catch (error) {
    return failed(error)
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function failed(cause: unknown): Tried {
  const inner = cause instanceof Error && cause.cause !== undefined ? `: ${messageOf(cause.cause)}` : ''
  const problem = typeof cause === 'string' ? cause : messageOf(cause) + inner
  return { problem, isBusy: BUSY.test(problem) }
}

const canaries = (canary: string, port: number, level: ExecLevel): string =>
  [
    'echo $$ > works',
    `cat '${canary}' 2>/dev/null`,
    `: 2>/dev/null <>/dev/tcp/127.0.0.1/${port}`,
    `echo changed 2>/dev/null > '${canary}'`,
    'unshare -U true 2>/dev/null && echo namespaces',
    // In a view the number is that of another process, or of none.
    level === 'files' ? `cat /proc/${process.pid}/environ >/dev/null 2>&1 && echo environment` : ':',
    ':',
  ].join('; ')

interface Canaries {
  readonly output: string
  readonly secret: string
  readonly reached: number
  readonly pid: number
}

function broken(level: ExecLevel, { output, secret, reached, pid }: Canaries): string | undefined {
  if (output.includes(secret)) return 'a command reads files outside of its view'
  if (output.includes('environment')) return 'a command reads the environment of the host'
  if (level !== 'wall') return undefined
  if (reached > 0) return 'a command reaches ports of this machine'
  if (output.includes('namespaces')) return 'a command makes namespaces of its own'
  return pid < FEW ? undefined : 'a command sees processes of this machine'
}
