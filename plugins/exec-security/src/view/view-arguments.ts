import { access, lstat, readlink } from 'node:fs/promises'
import { FILTER_DESCRIPTOR, HOME, SOCKET, type ExecView, type Mount } from './exec-view.js'
import { dirname, join } from 'node:path'
import { DOOR, SHIM_FOLDER } from '../git/git-shim.js'
import { once } from './once.js'
import { MAY_MOUNT } from '../levels/view-changes.js'
import { isWithin } from '../real-paths.js'

/** Namespaces, no rights, and an empty machine. */
const EMPTY = [
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net'],
  ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'sandbox', '--tmpfs', '/'],
  ...['--ro-bind', '/usr', '/usr'],
]
/** The rights with which the command of a host of root becomes that of a user without rights. */
const MAY_DROP = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name])
/** Settings of the kernel, which root may change in any namespace. */
const SETTINGS = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus']
/** Files of the kernel about the whole machine. */
const OF_MACHINE = ['/proc/kcore', '/proc/keys', '/proc/timer_list']
const SHARED_MEMORY = ['--perms', '1777', '--tmpfs', '/dev/shm']
/** Devices without terminals, for which bwrap would give up the right to change mounts. */
const FEW_DEVICES = [
  ...['--tmpfs', '/dev', '--symlink', '/proc/self/fd', '/dev/fd', ...SHARED_MEMORY],
  ...['null', 'zero', 'full', 'random', 'urandom'].flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
]
/** On most systems these are links into `/usr`. */
const BESIDE_USR = ['/bin', '/sbin', '/lib', '/lib64', '/lib32', '/libx32']
const SYSTEM = ['/usr', ...BESIDE_USR]
/** Lists of packages, manual pages and processors, which programs read and which hold no secrets. */
const FACTS = ['/var/lib/dpkg', '/var/lib/apt', '/var/cache/man', '/sys/devices/system/cpu', '/sys/devices/system/node']

/**
 * Returns the options of bwrap that make a view. The command that runs in it follows them.
 *
 * @param place where bwrap finds a file or folder of the host, if the command runs as a user without rights
 */
export async function viewArguments(view: ExecView, place?: (source: string) => string): Promise<string[]> {
  const from = place ?? ((source: string) => source)
  // bwrap makes them with the rights of what it mounts there, and as root.
  const parent = (at: string): string[] => (place ? ['--dir', dirname(at)] : [])
  const [links, shown, kernel, tools] = await Promise.all([besideUsr(), facts(), kernelFiles(), existing(view.tools)])
  return [
    ...EMPTY,
    ...(place ? MAY_DROP : ['--unshare-user']),
    ...(isChanged(view) ? MAY_MOUNT : []),
    ...links,
    ...inSystem(view).flatMap((path) => ['--tmpfs', path]),
    ...['--ro-bind', from(view.etc), '/etc', '--proc', '/proc', ...kernel],
    // The first process is that of bwrap, without the filter: nothing reaches into it.
    ...['--tmpfs', '/proc/1'],
    ...(isChanged(view) && !place ? FEW_DEVICES : ['--dev', '/dev']),
    // The folder belongs to root, who is not the user of the command.
    ...(place ? SHARED_MEMORY : []),
    ...['--tmpfs', '/run', '--tmpfs', '/var', ...shown],
    ...['--dir', '/home', ...temporary(view, from)],
    ...tools.flatMap((path) => [...parent(path), '--ro-bind-try', from(path), path]),
    ...[...parent(HOME), '--bind', from(view.home), HOME],
    ...view.files.flatMap(({ source, at }) => [...parent(at), '--ro-bind-try', from(source), at]),
    ...mountsOf(view).flatMap(({ source, at, writable }) => [
      ...[...parent(at), writable ? '--bind' : '--ro-bind', from(source), at],
    ]),
    ...(view.socket === undefined ? [] : ['--ro-bind', from(view.socket), SOCKET]),
    ...doorArguments(view, from, parent),
    // Last: what is shown within them needs its place.
    ...[...inSystem(view), '/'].flatMap((path) => ['--remount-ro', path]),
    // Otherwise it is set after the last change of a mount.
    ...(isChanged(view) ? [] : ['--seccomp', String(FILTER_DESCRIPTOR)]),
  ]
}

/** Returns the folders of a view that commands change, if nothing there may lead a program astray. */
export const inertFolders = ({ isInert, roots }: ExecView): readonly string[] =>
  isInert === true ? [HOME, '/tmp', ...roots.filter(({ isInner }) => isInner !== true).map(({ path }) => path)] : []

/** Returns what lies in a system folder and is not for commands, so that an empty folder is laid over it. */
const inSystem = ({ covered }: ExecView): string[] =>
  covered.filter((path) => SYSTEM.some((folder) => isWithin(path, folder)))

/** Returns the paths that are there. bwrap passes over a missing one, and fails at one that it may not reach. */
async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => [path],
        () => [],
      ),
    ),
  )
  return found.flat()
}

// Parts of the system are looked for once: they do not change while it runs.
const facts = once(async () =>
  (await existing(FACTS)).flatMap((path) => ['--dir', dirname(path), '--ro-bind-try', path, path]),
)
const kernelFiles = once(async () => [
  ...(await existing(SETTINGS)).flatMap((path) => ['--ro-bind', path, path]),
  ...(await existing(OF_MACHINE)).flatMap((path) => ['--ro-bind', '/dev/null', path]),
])
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

const mountsOf = ({ mounts, roots }: ExecView): readonly Omit<Mount, 'descriptor'>[] =>
  mounts?.filter(({ isInner }) => isInner !== true) ??
  roots.map(({ path, writable }) => ({ source: path, at: path, writable }))

/** Returns what is mounted from within the view. */
export const innerMounts = ({ mounts = [] }: ExecView): readonly Mount[] =>
  mounts.filter(({ isInner }) => isInner === true)

/** Whether mounts are changed from within the view. */
export const isChanged = (view: ExecView): boolean => view.isInert === true || innerMounts(view).length > 0

/** Shows `/tmp`. Where a path of the view lies below it, it is a new one, without the links of earlier commands. */
function temporary(view: ExecView, from: (source: string) => string): string[] {
  const places = [...view.tools, ...mountsOf(view).map(({ at }) => at)]
  const isHeld = (folder: string): boolean => places.some((path) => isWithin(path, folder))
  return [
    ...(isHeld('/tmp') ? ['--perms', '1777', '--tmpfs', '/tmp'] : ['--bind', from(view.tmp), '/tmp']),
    ...(isHeld('/var/tmp') ? ['--perms', '1777', '--dir', '/var/tmp'] : ['--symlink', '/tmp', '/var/tmp']),
  ]
}

function doorArguments(
  { door }: ExecView,
  from: (source: string) => string,
  parent: (at: string) => string[],
): string[] {
  if (!door) return []
  const shim = join(SHIM_FOLDER, 'git')
  return ['--ro-bind', from(door.socket), DOOR, ...parent(shim), '--ro-bind', from(door.shim), shim]
}
