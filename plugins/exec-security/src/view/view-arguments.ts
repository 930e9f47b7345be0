import { access, lstat, readlink, stat } from 'node:fs/promises'
import { FILTER_DESCRIPTOR, SOCKET, type ExecView, type Root } from './exec-view.js'
import { gitPins } from './git-pins.js'
import { once } from './once.js'
import { isWithin } from '../real-paths.js'

/** Namespaces, no rights, and an empty machine. */
const EMPTY = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net'],
  ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'sandbox', '--tmpfs', '/'],
  ...['--ro-bind', '/usr', '/usr'],
]
/** On most systems these are links into `/usr`. */
const BESIDE_USR = ['/bin', '/sbin', '/lib', '/lib64', '/lib32', '/libx32']
/** Lists of packages, manual pages and processors, which programs read and which hold no secrets. */
const FACTS = ['/var/lib/dpkg', '/var/lib/apt', '/var/cache/man', '/sys/devices/system/cpu', '/sys/devices/system/node']

/** Returns the options of bwrap that make a view. The command that runs in it follows them. */
export async function viewArguments(view: ExecView): Promise<string[]> {
  const [links, shown, tools, roots] = await Promise.all([
    besideUsr(),
    facts(),
    readOnlyTry(['/opt', ...view.tools]),
    rootArguments(view),
  ])
  return [
    ...EMPTY,
    ...links,
    ...tools,
    ...['--ro-bind', view.etc, '/etc', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/run', '--tmpfs', '/var'],
    ...shown,
    ...['--dir', '/home', '--bind', view.tmp, '/tmp', '--symlink', '/tmp', '/var/tmp'],
    ...['--bind', view.home.source, view.home.at],
    ...view.homeFiles.flatMap(({ source, at }) => ['--ro-bind-try', source, at]),
    ...roots,
    ...(view.socket === undefined ? [] : ['--ro-bind', view.socket, SOCKET]),
    ...['--remount-ro', '/', '--seccomp', String(FILTER_DESCRIPTOR), '--chdir', view.cwd, '--'],
  ]
}

/** Shows paths that may be missing. bwrap itself passes over a missing one, and fails at one that it may not reach. */
async function readOnlyTry(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => ['--ro-bind-try', path, path],
        () => [],
      ),
    ),
  )
  return found.flat()
}

// Parts of the system are looked for once: they do not change while it runs.
const facts = once(() => readOnlyTry(FACTS))
const besideUsr = once(async () => {
  const options = await Promise.all(
    BESIDE_USR.map(async (path) => {
      const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (found === undefined) return []
      return found.isSymbolicLink() ? ['--symlink', await readlink(path), path] : ['--ro-bind', path, path]
    }),
  )
  return options.flat()
})

/** Shows the roots, the outer ones first, so that an inner one lies over what is hidden in an outer one. */
async function rootArguments(view: ExecView): Promise<string[]> {
  const roots = [...view.roots].sort((a, b) => a.path.length - b.path.length)
  const shown: string[] = []
  const closed: string[] = []
  for (const root of roots) {
    const { path, writable } = root
    // A folder that became a link to something hidden shows nothing of it.
    if (view.hidden.some((hidden) => isWithin(path, hidden))) {
      shown.push('--tmpfs', path)
      closed.push('--remount-ro', path)
      continue
    }
    const pins = writable ? await gitPins(path) : undefined
    // Shown twice: the second time buries the first, so that the pinned folder can be neither moved nor removed.
    if (pins) shown.push('--bind', path, path, '--bind', pins.folder, pins.folder)
    shown.push(writable ? '--bind' : '--ro-bind', path, path)
    for (const pin of pins?.readOnly ?? []) shown.push('--ro-bind', pin, pin)
    if (writable)
      for (const kept of await existing(root, view.readOnly, roots)) shown.push('--ro-bind', kept.path, kept.path)
    for (const { path: hidden, isFolder } of await existing(root, view.hidden, roots)) {
      shown.push(...(isFolder ? ['--tmpfs', hidden] : ['--ro-bind', '/dev/null', hidden]))
      if (isFolder) closed.push('--remount-ro', hidden)
    }
  }
  return [...shown, ...closed]
}

/** Returns the paths that exist in a root and in none of the roots within it, as what they are. */
async function existing(
  { path: root }: Root,
  paths: readonly string[],
  roots: readonly Root[],
): Promise<{ readonly path: string; readonly isFolder: boolean }[]> {
  const inner = roots.filter(({ path }) => path !== root && isWithin(path, root))
  const found = await Promise.all(
    [...new Set(paths)]
      .filter((path) => path !== root && isWithin(path, root))
      .filter((path) => !inner.some((other) => isWithin(path, other.path)))
      .map(async (path) => {
        const entry = await lstat(path).catch(() => undefined)
        // A link cannot be covered. Its target is in the list as well.
        if (entry === undefined || entry.isSymbolicLink()) return []
        return [{ path, isFolder: (await stat(path)).isDirectory() }]
      }),
  )
  return found.flat()
}
