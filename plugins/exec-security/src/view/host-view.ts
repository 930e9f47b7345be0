import { access, mkdir } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import type { HostPaths } from '@mynah/kernel'
import type { ExecOrigin } from '../api.js'
import { closedPaths } from '../host-paths.js'
import type { OutsidePath } from '../policy/types.js'
import { isWithin, realPath } from '../real-paths.js'
import type { ExecView, Root } from './exec-view.js'
import { homeFiles } from './home-files.js'
import type { RunFolder } from './run-folder.js'
import { toolFolders } from './tools.js'

/** Paths that the owner adds to the view of commands: `ai.agent.execView`. */
interface ViewSettings {
  readonly read: readonly string[]
  readonly write: readonly string[]
  /** Paths below the home folder. */
  readonly home: readonly string[]
  readonly tools: readonly string[]
  readonly keepDays: number
}

/** The facts that the view of one command is made from. */
export interface ViewRequest {
  readonly cwd: string
  readonly origin: ExecOrigin
  /** Whether the command may change files of its roots. */
  readonly writable: boolean
  /** Paths that the owner has approved for this run. */
  readonly granted?: readonly OutsidePath[] | undefined
  readonly settings: ViewSettings
  readonly paths: HostPaths | undefined
  readonly run: RunFolder
  readonly socket?: string | undefined
}

/** A home folder in these would hide what every view has. */
const NO_HOME = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/opt', '/etc', '/proc', '/sys', '/dev', '/run']

/** Returns the home folder as commands see it. */
export function homeOf(home: string | undefined): string {
  const path = home !== undefined && isAbsolute(home) ? resolve(home) : '/'
  return path === '/' || NO_HOME.some((folder) => isWithin(path, folder)) ? '/home/user' : path
}

/**
 * Returns why a folder cannot be a root, or undefined. A root with the home folder would show all credentials.
 *
 * @param name what the text calls the folder
 */
export async function rootProblem(folder: string, run: RunFolder, name: string): Promise<string | undefined> {
  const path = await realPath(folder)
  if (path === '/') return `${name} is the whole machine`
  if (isWithin(await realPath(run.home), path)) return `${name} holds the home folder`
  if (isWithin(run.path, path)) return `${name} holds the files of all commands`
  // A folder of one place is not for another.
  if (isWithin(path, run.path)) return `${name} is one of the files of commands`
  return undefined
}

/** Makes the view of one command: its working directory, the folders of the owner, and nothing of the host's own. */
export async function hostView(request: ViewRequest): Promise<ExecView> {
  const { settings, paths, run, origin, socket } = request
  const cwd = await realPath(request.cwd)
  if (!(await exists(cwd))) throw new Error('failed to start bash', { cause: new Error('the folder is not there') })
  const copies = join(run.path, 'settings')
  const others = [run.path, ...(paths ? [paths.root, paths.data] : [])]
  // At the same time: a command waits for all of it.
  const [{ home, tmp }, closed, roots, etc, files, tools] = await Promise.all([
    run.of(origin),
    paths ? closedPaths(paths) : { hidden: [], readOnly: [] },
    rootsOf(cwd, request, run),
    run.etc(),
    mkdir(copies, { recursive: true, mode: 0o700 }).then(() => homeFiles(settings.home, run.home, copies)),
    toolFolders(process.env.PATH ?? '', { home: run.home, others }),
  ])
  return {
    cwd,
    roots,
    etc,
    tmp,
    home: { source: home, at: run.home },
    homeFiles: files,
    tools: [...tools, ...settings.tools],
    readOnly: closed.readOnly,
    // A folder that the caller has named is meant, also within the folders of the host.
    hidden: closed.hidden.filter((path) => !isWithin(request.cwd, path)),
    socket,
  }
}

async function rootsOf(
  cwd: string,
  { writable, settings, granted = [] }: ViewRequest,
  run: RunFolder,
): Promise<Root[]> {
  const roots = new Map<string, Root>([[cwd, { path: cwd, writable }]])
  const add = async (folder: string, write: boolean): Promise<void> => {
    const path = await realPath(folder)
    if (roots.get(path)?.writable === true || !(await exists(path))) return
    if ((await rootProblem(path, run, 'it')) !== undefined) return
    roots.set(path, { path, writable: write })
  }
  for (const folder of settings.read) await add(folder, false)
  for (const folder of settings.write) await add(folder, writable)
  for (const { path, write } of granted) await add(path, write)
  return [...roots.values()]
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
