// The second wall: commands run by bubblewrap, in a view of the machine where what decides over the host is not there.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readlink, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandEnvironment } from './environment.js'
import { isWithin, realPath, withRealPaths } from '../real-paths.js'

const PROGRAM = 'bwrap'
const PROBE_MS = 5000

/** What a sandboxed command sees. */
export interface SandboxView {
  /** The only folder of the machine that it may change. */
  readonly cwd: string
  /** Stands as `/tmp`. */
  readonly tmp: string
  /** Folders and files that are not there. */
  readonly hidden: readonly string[]
  /** The folder of the host: what comes to be there while a command runs, such as a new version of a hidden file, is not there. */
  readonly root?: string | undefined
  /** Folders below the working directory that it may read and not change. */
  readonly readOnly: readonly string[]
  readonly network: boolean
}

/** Whether commands can be sandboxed here, and if not, why. */
export type SandboxProbe = { readonly available: true } | { readonly available: false; readonly reason: string }

/**
 * The command line that runs bash in the sandbox; what bash runs follows. `bwrap` itself has to be started with the clean
 * environment, since its own can be read from inside.
 */
export async function sandboxArguments(view: SandboxView): Promise<string[]> {
  const { tmp, network } = view
  const cwd = await realPath(view.cwd)
  const hidden = await withRealPaths(view.hidden)
  const root = view.root === undefined ? undefined : await realPath(view.root)
  // What is hidden in a folder that is shown entry by entry is left out of it; a file alone would come back when it is replaced.
  const shown = root !== undefined && !isWithin(root, cwd) ? await entriesOf(root, hidden) : []
  const options = [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--tmpfs',
    '/run',
    '--ro-bind-try',
    '/run/systemd/resolve',
    '/run/systemd/resolve',
    '--bind',
    tmp,
    '/tmp',
    ...shown,
    '--bind',
    cwd,
    cwd,
  ]
  for (const folder of await withRealPaths(view.readOnly))
    if ((await kindOf(folder)) === 'folder') options.push('--ro-bind', folder, folder)
  for (const path of hidden) {
    const leftOut = shown.length > 0 && isWithin(path, root ?? '') && !isWithin(path, cwd)
    const kind = leftOut ? undefined : await kindOf(path)
    // A folder that the working directory was given in is hidden around it; one that it leads to by a link is hidden.
    const around =
      isWithin(view.cwd, path) || view.hidden.some((named) => isWithin(view.cwd, named) && isWithin(cwd, path))
    if (kind === 'folder')
      options.push(...(around ? ['--tmpfs', path, '--bind', cwd, cwd] : ['--tmpfs', path, '--remount-ro', path]))
    else if (kind === 'file') options.push('--ro-bind', '/dev/null', path)
  }
  if (shown.length > 0 && root !== undefined) options.push('--remount-ro', root)
  return [
    ...options,
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    ...(network ? [] : ['--unshare-net']),
    '--new-session',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    '--chdir',
    cwd,
    '--',
  ]
}

/** A file that is written beside the one that it replaces. */
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

/** The files with variables beside the configuration. */
export async function environmentFiles(root: string): Promise<string[]> {
  try {
    return (await readdir(root)).filter((name) => name.startsWith('.env')).map((name) => join(root, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Tries the sandbox with its real options: that its program is there says nothing, since many machines forbid what it does. */
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
    // What a link leads to stands in the list as well; nothing can be put over the link.
    if ((await realPath(path)) !== path) return undefined
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch {
    // What is not there, or cannot be looked at, cannot be reached by the command either.
    return undefined
  }
}
