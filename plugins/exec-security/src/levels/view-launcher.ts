import { inertFolders, innerMounts, isChanged, viewArguments } from '../view/view-arguments.js'
import { FIRST_DESCRIPTOR, HOME, SOCKET, type ExecView, type Mount } from '../view/exec-view.js'
import { handshakeScript } from '../handshake/handshake.js'
import { limitScript, type ExecLimits } from '../limits/limits.js'
import type { Cgroup } from '../limits/cgroups.js'
import { bridgeScript, proxyEnvironment, type Bridge } from '../proxy/bridge.js'
import { SHIM_FOLDER } from '../git/git-shim.js'
import { viewChanges } from './view-changes.js'
import type { Dropped, Unprivileged } from './unprivileged.js'
import type { Launch, Launcher } from '../run/launch.js'

/** The programs that make level `wall`, as the probe found them. */
export interface WallTools {
  /** The full path of bwrap. */
  readonly bwrap: string
  /** The full path of perl, where it can change the mounts of a view. */
  readonly perl?: string | undefined
  readonly filter: Buffer
  /** The way from the loopback of a command to the socket of the proxy. */
  readonly bridge: Bridge
  /** For a host of root, the start of commands as users without rights. */
  readonly unprivileged?: Unprivileged | undefined
}

/** The files and folders of the host's user that a view shows. */
const sourcesOf = ({ etc, tmp, home, files, tools, roots, socket, door }: ExecView): string[] => [
  ...[etc, tmp, home, ...tools],
  ...files.map(({ source }) => source),
  ...roots.map(({ path }) => path),
  ...(socket === undefined ? [] : [socket]),
  ...(door ? [door.socket, door.shim] : []),
]

/**
 * Ends where a name has led elsewhere meanwhile: at the source, or at the place of a mount. The descriptors lead out of
 * the view and so are closed, with those that the host has inherited itself.
 */
function checkScript({ mounts = [] }: ExecView): string {
  const isThere = mounts.map(
    ({ at, writable }, i) =>
      `[ ${quoted(at)} -ef /proc/self/fd/${FIRST_DESCRIPTOR + i} ] && ` +
      `[[ "\${m[*]}" == *${quoted(` ${listed(at)} ${writable ? '' : 'ro,'}`)}* ]]`,
  )
  return (
    'mapfile m < /proc/self/mountinfo; ' +
    `${[':', ...isThere].join(' && ')} || { echo 'the folder has become another one' >&2; exit 126; }; ` +
    'for m in /proc/self/fd/*; do m=${m##*/}; [ $m -lt 3 ] || exec {m}>&-; done; unset m; '
  )
}

/** A path in the list of mounts. */
const listed = (path: string): string =>
  path.replaceAll(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const environmentOf = ({ door, socket }: ExecView): Record<string, string> => ({
  HOME,
  TMPDIR: '/tmp',
  ...(door ? { PATH: `${SHIM_FOLDER}:${process.env.PATH ?? ''}` } : {}),
  // Without a network npm would try again for minutes.
  ...(socket === undefined ? { npm_config_fetch_retries: '0' } : proxyEnvironment()),
})

/** bwrap may not enter a folder that is the user's of the command alone. */
const enterScript = (folder: string): string => `cd -- ${quoted(folder)} || exit; unset OLDPWD; `

/** Starts commands in a view, by bwrap. */
export class ViewLauncher implements Launcher {
  readonly level = 'wall'
  readonly #tools: WallTools
  readonly #view: ExecView
  readonly #limits: ExecLimits
  readonly #group: Cgroup | undefined

  constructor(tools: WallTools, view: ExecView, limits: ExecLimits, group?: Cgroup) {
    this.#tools = tools
    this.#view = view
    this.#limits = limits
    this.#group = group
  }

  /** @param words what the command finds as `$@` */
  async launch(command: string, words: readonly string[] = []): Promise<Launch> {
    const { bwrap, filter, bridge, unprivileged } = this.#tools
    const view = this.#view
    const dropped = (await unprivileged?.covers(sourcesOf(view))) ? unprivileged?.next() : undefined
    const prelude =
      checkScript(view) +
      enterScript(view.cwd) +
      (view.socket === undefined ? '' : bridgeScript(bridge, SOCKET)) +
      limitScript(this.#limits, true)
    const args = await viewArguments(view, dropped?.place)
    const script = handshakeScript(prelude, command)
    const bash = ['bash', '--noprofile', '--norc', '-c', script, 'bash', ...words]
    const inner = [...this.#changes(dropped), ...(dropped?.within ?? []), ...bash]
    const whole = [...(dropped?.before(bwrap) ?? [bwrap]), ...args, '--', ...inner]
    const [file = bwrap, ...rest] = this.#group ? await this.#group.command(whole) : whole
    return {
      file,
      args: rest,
      cwd: '/',
      env: environmentOf(view),
      filter,
      descriptors: view.mounts?.map(({ descriptor }: Mount) => descriptor),
      asks: true,
    }
  }

  /** Returns the command that changes the mounts from within, if the view needs that. It sets the filter as well. */
  #changes(dropped: Dropped | undefined): readonly string[] {
    const view = this.#view
    if (!isChanged(view)) return []
    const { perl } = this.#tools
    if (perl === undefined) throw new Error('a folder in another one needs perl, and bwrap with the right to mount')
    return viewChanges(perl, { inert: inertFolders(view), inner: innerMounts(view) }, dropped !== undefined)
  }

  async ended(): Promise<void> {
    await this.#group?.remove()
  }
}
