import { viewArguments } from '../view/view-arguments.js'
import { FIRST_DESCRIPTOR, SOCKET, type ExecView } from '../view/exec-view.js'
import { handshakeScript } from '../handshake/handshake.js'
import { limitScript, type ExecLimits } from '../limits/limits.js'
import type { Cgroup } from '../limits/cgroups.js'
import { bridgeScript, proxyEnvironment, type Bridge } from '../proxy/bridge.js'
import { SHIM_FOLDER } from '../git/git-shim.js'
import type { Unprivileged } from './unprivileged.js'
import type { Launch, Launcher } from '../run/launch.js'

/** The programs that make level `wall`, as the probe found them. */
export interface WallTools {
  /** The full path of bwrap. */
  readonly bwrap: string
  readonly filter: Buffer
  /** The way from the loopback of a command to the socket of the proxy. */
  readonly bridge: Bridge
  /** For a host of root, the start of commands as users without rights. */
  readonly unprivileged?: Unprivileged | undefined
}

/** The files and folders of the host's user that a view shows. */
const sourcesOf = ({ etc, tmp, home, homeFiles, tools, roots, socket, door }: ExecView): string[] => [
  ...[etc, tmp, home.source, ...tools],
  ...homeFiles.map(({ source }) => source),
  ...roots.map(({ path }) => path),
  ...(socket === undefined ? [] : [socket]),
  ...(door ? [door.socket, door.shim] : []),
]

/** Ends where a name has led elsewhere meanwhile. The descriptors lead out of the view, and so are closed. */
function checkScript({ opened = [] }: ExecView): string {
  if (opened.length === 0) return ''
  const isSame = opened.map(({ path }, i) => `[ ${quoted(path)} -ef /proc/self/fd/${FIRST_DESCRIPTOR + i} ]`)
  const close = opened.map((_, i) => `${FIRST_DESCRIPTOR + i}>&-`)
  return `${isSame.join(' && ')} || { echo 'the folder has become another one' >&2; exit 126; }; exec ${close.join(' ')}; `
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const environmentOf = ({ home, door, socket }: ExecView): Record<string, string> => ({
  HOME: home.at,
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
    const inner = [...(dropped?.within ?? []), 'bash', '--noprofile', '--norc', '-c', script, 'bash', ...words]
    const whole = [...(dropped?.before(bwrap) ?? [bwrap]), ...args, '--', ...inner]
    const [file = bwrap, ...rest] = this.#group ? await this.#group.command(whole) : whole
    return {
      file,
      args: rest,
      cwd: '/',
      env: environmentOf(view),
      filter,
      descriptors: view.opened?.map(({ descriptor }) => descriptor),
      asks: true,
    }
  }

  async ended(): Promise<void> {
    await this.#group?.remove()
  }
}
