import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readlink, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandEnvironment } from './environment.js'
import { isWithin, realPath, withRealPaths } from '../real-paths.js'

const PROGRAM = 'bwrap'
const PROBE_MS = 5000

/** The part of the machine that a sandboxed command sees. */
export interface SandboxView {
  /** The only folder of the machine that it may change. */
  readonly cwd: string
  /** The folder that is mounted as `/tmp`. */
  readonly tmp: string
  /** Folders and files that are not visible. */
  readonly hidden: readonly string[]
  /** The folder of the host, shown as it is at the start: a new version of a hidden file does not appear in it. */
  readonly root?: string | undefined
  /** Folders below the working directory that it may read and not change. */
  readonly readOnly: readonly string[]
  readonly network: boolean
}

/** Whether commands can be sandboxed here, and if not, why. */
export type SandboxProbe = { readonly available: true } | { readonly available: false; readonly reason: string }

/** Options before those of the view: the machine to be read only, with devices and processes of its own. */
const MACHINE = [
  ...['--ro-bind', '/', '/'],
  ...['--dev', '/dev'],
  ...['--proc', '/proc'],
  ...['--tmpfs', '/run'],
  ...['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'],
]

/**
 * Returns the command line that runs bash in the sandbox. The command that bash runs follows it. `bwrap` itself has to
 * be started with the clean environment, since its own can be read from inside.
 */
async function sandboxArguments(view: SandboxView): Promise<string[]> {
  const cwd = await realPath(view.cwd)
  const hidden = await withRealPaths(view.hidden)
  const root = view.root === undefined ? undefined : await realPath(view.root)
  // A folder with hidden files is mounted entry by entry without them, since a replaced file would appear again.
  const shown = root !== undefined && !isWithin(root, cwd) ? await entriesOf(root, hidden) : []
  const isLeftOut = (path: string): boolean => shown.length > 0 && isWithin(path, root ?? '') && !isWithin(path, cwd)
  const options = [...MACHINE, '--bind', view.tmp, '/tmp', ...shown, '--bind', cwd, cwd]
  for (const folder of await withRealPaths(view.readOnly))
    if ((await kindOf(folder)) === 'folder') options.push('--ro-bind', folder, folder)
  for (const path of hidden) if (!isLeftOut(path)) options.push(...(await hide(path, cwd, view)))
  if (shown.length > 0 && root !== undefined) options.push('--remount-ro', root)
  return [
    ...options,
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', ...(view.network ? [] : ['--unshare-net'])],
    ...['--new-session', '--die-with-parent', '--cap-drop', 'ALL', '--chdir', cwd, '--'],
  ]
}

/** Returns the options that hide a path. */
async function hide(path: string, cwd: string, view: SandboxView): Promise<string[]> {
  const kind = await kindOf(path)
  if (kind === 'file') return ['--ro-bind', '/dev/null', path]
  if (kind !== 'folder') return []
  // A folder that the working directory was given in is hidden around it; one that it leads to by a link is hidden.
  const isAround =
    isWithin(view.cwd, path) || view.hidden.some((named) => isWithin(view.cwd, named) && isWithin(cwd, path))
  return isAround ? ['--tmpfs', path, '--bind', cwd, cwd] : ['--tmpfs', path, '--remount-ro', path]
}

/** A temporary file next to the one that it replaces. */
const TEMPORARY = /^\..*\.tmp$/

/** A folder with the entries that it has now, without the hidden ones and their copies. */
async function entriesOf(folder: string, hidden: readonly string[]): Promise<string[]> {
  const options = ['--tmpfs', folder]
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (TEMPORARY.test(entry.name) || hidden.some((other) => path === other || path.startsWith(`${other}.`))) continue
    options.push(
      ...(entry.isSymbolicLink() ? ['--symlink', await readlink(path), path] : ['--ro-bind-try', path, path]),
    )
  }
  return options
}

/** The program and its arguments, as they are started. */
export const sandboxCommand = async (
  view: SandboxView,
  command: readonly string[],
): Promise<{ file: string; args: string[] }> => ({
  file: PROGRAM,
  args: [...(await sandboxArguments(view)), ...command],
})

/** Returns the `.env` files next to the configuration. */
export async function environmentFiles(root: string): Promise<string[]> {
  try {
    return (await readdir(root)).filter((name) => name.startsWith('.env')).map((name) => join(root, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Runs the sandbox with its real options, since many machines have the program and forbid what it does. */
export async function probeSandbox(): Promise<SandboxProbe> {
  if (process.platform !== 'linux') return { available: false, reason: `there is no sandbox for ${process.platform}` }
  const folder = await mkdtemp(join(tmpdir(), 'mynah-probe-'))
  try {
    const view = { cwd: folder, tmp: folder, hidden: [], readOnly: [], network: false }
    const { file, args } = await sandboxCommand(view, [
      'bash',
      '--noprofile',
      '--norc',
      '-c',
      '[[ $$ -lt 100 ]] && : > works',
    ])
    const problem = await tried(file, args)
    if (problem !== undefined) return { available: false, reason: problem }
    return (await kindOf(join(folder, 'works'))) === 'file'
      ? { available: true }
      : { available: false, reason: `${PROGRAM} ran and left nothing` }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function tried(file: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env: commandEnvironment(process.env),
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: PROBE_MS,
      killSignal: 'SIGKILL',
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, 300)
    })
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        error.code === 'ENOENT'
          ? `${PROGRAM} is not installed`
          : `${PROGRAM} cannot be started (${error.code ?? 'unknown'})`,
      ),
    )
    child.once('close', (code) =>
      resolve(
        code === 0
          ? undefined
          : `${PROGRAM} does not work here: ${said.trim() || `it ended with ${code ?? 'a signal'}`}`,
      ),
    )
  })
}

async function kindOf(path: string): Promise<'folder' | 'file' | undefined> {
  try {
    // The target of a link is in the list as well. Nothing can be mounted over the link itself.
    if ((await realPath(path)) !== path) return undefined
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch {
    // The command cannot reach a path that the host cannot look at.
    return undefined
  }
}
