import { access, mkdir } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import type { HostPaths } from '@mynah/kernel'
import type { ExecOrigin } from '../api.js'
import { closedPaths, workspaceOf } from '../host-paths.js'
import type { OutsidePath } from '../policy/types.js'
import { isWithin, realPath } from '../real-paths.js'
import { HOME_FILES, type ExecView, type Root } from './exec-view.js'
import { coveredFolders } from './covered.js'
import { homeFiles, linkInHome } from './home-files.js'
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
  /** See `ExecContext`. */
  readonly base?: string | undefined
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

/** Returns the home folder of the host's user. */
export function homeOf(home: string | undefined): string {
  const path = home !== undefined && isAbsolute(home) ? resolve(home) : '/'
  return path === '/' || NO_HOME.some((folder) => isWithin(path, folder)) ? '/home/user' : path
}

/** The places that the folders of commands must not meet. */
export interface Places {
  readonly run: RunFolder
  /** The real path of the home folder. */
  readonly home: string
  /** Paths that decide over the host. */
  readonly closed: readonly string[]
}

export async function placesOf(run: RunFolder, paths: HostPaths | undefined): Promise<Places> {
  const [home, closed] = await Promise.all([realPath(run.home), paths ? closedPaths(paths) : []])
  return { run, home, closed }
}

/**
 * Returns why a folder cannot be a root, or undefined. A root with the home folder would show all credentials, and one
 * with the folder of the host could be given other plugins.
 *
 * @param name what the text calls the folder
 */
export async function rootProblem(
  folder: string,
  { run, home, closed }: Places,
  name: string,
): Promise<string | undefined> {
  const path = await realPath(folder)
  if (path === '/') return `${name} is the whole machine`
  if (isWithin(home, path)) return `${name} holds the home folder`
  if (isWithin(run.path, path)) return `${name} holds the files of all commands`
  // A folder of one place is not for another.
  if (isWithin(path, run.path)) return `${name} is one of the files of commands`
  if (closed.some((one) => isWithin(path, one))) return `${name} decides over this host`
  if (closed.some((one) => isWithin(one, path))) return `${name} holds files that decide over this host`
  return undefined
}

/** Makes the view of one command: its working directory, the folders of the owner, and nothing of the host's own. */
export async function hostView(request: ViewRequest): Promise<ExecView> {
  const { settings, paths, run, origin, socket } = request
  const cwd = await realPath(request.cwd)
  for (const tree of [request.base ?? request.cwd, workspaceOf(paths), ...settings.write])
    if (await leadsElsewhere(resolve(request.cwd), cwd, tree))
      throw new Error('the working directory is a link in a folder that commands change')
  if (!(await exists(cwd))) throw new Error('failed to start bash', { cause: new Error('the folder is not there') })
  const places = await placesOf(run, paths)
  const problem = await rootProblem(cwd, places, 'the working directory')
  if (problem !== undefined) throw new Error(problem)
  const copies = join(run.path, 'settings')
  const others = [run.path, ...places.closed]
  // At the same time: a command waits for all of it.
  const names = settings.home.filter((name) => !meets(join(run.home, name), places.closed))
  const [{ home, tmp }, covered, roots, etc, files, ...tools] = await Promise.all([
    run.of(origin),
    coveredFolders(paths, run.home),
    rootsOf(cwd, request, places),
    run.etc(),
    mkdir(copies, { recursive: true, mode: 0o700 }).then(() => homeFiles(names, run.home, copies)),
    toolFolders(process.env.PATH ?? '', { home: run.home, others }),
    allowed(settings.tools, places),
  ])
  const view = { cwd, roots, etc, tmp, home, files, tools: tools.flat(), covered, socket }
  await linkInHome(home, homeLinks(view, run.home))
  return view
}

/** Returns what lies in the home folder of the host's user and is shown, by its path there. */
function homeLinks({ files, tools, roots }: ExecView, home: string): ReadonlyMap<string, string> {
  const below = [...tools, ...roots.map(({ path }) => path)].filter((path) => isWithin(path, home))
  return new Map([
    ...files.map(({ at }): [string, string] => [relative(HOME_FILES, at), at]),
    ...below.map((path): [string, string] => [relative(home, path), path]),
  ])
}

/** Whether a path below a folder leads to another place than it says. */
async function leadsElsewhere(path: string, real: string, tree: string): Promise<boolean> {
  return isWithin(path, tree) && join(await realPath(tree), relative(tree, path)) !== real
}

const meets = (path: string, others: readonly string[]): boolean =>
  others.some((other) => isWithin(path, other) || isWithin(other, path))

/** Returns the folders that may be shown. */
async function allowed(folders: readonly string[], places: Places): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => ((await rootProblem(folder, places, 'it')) === undefined ? [folder] : [])),
  )
  return found.flat()
}

async function rootsOf(cwd: string, request: ViewRequest, places: Places): Promise<Root[]> {
  const { writable, settings, granted = [], paths } = request
  const changeable = [cwd, request.cwd, workspaceOf(paths), ...settings.write]
  const roots = new Map<string, Root>([[cwd, { path: cwd, writable }]])
  const add = async (folder: string, write: boolean): Promise<void> => {
    const path = await realPath(folder)
    if (roots.get(path)?.writable === true || !(await exists(path))) return
    if ((await rootProblem(path, places, 'it')) !== undefined) return
    // A command that may write there could make it lead elsewhere.
    if (path !== folder && changeable.some((tree) => isWithin(folder, tree))) return
    roots.set(path, { path, writable: write })
  }
  for (const folder of settings.read) await add(folder, false)
  for (const folder of settings.write) await add(folder, writable)
  for (const { path, write } of granted) await add(path, write)
  return sorted([...roots.values()])
}

/** Returns the roots, outer ones first, and which of them are part of another one. */
function sorted(roots: readonly Root[]): Root[] {
  const all = [...roots].sort((a, b) => a.path.length - b.path.length)
  return all.map((root) => {
    const outer = all.findLast(({ path }) => path !== root.path && isWithin(root.path, path))
    return { ...root, isInner: outer?.writable === true }
  })
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
