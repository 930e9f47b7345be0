import { viewArguments } from '../view/view-arguments.js'
import { SOCKET, type ExecView } from '../view/exec-view.js'
import { handshakeScript } from '../handshake/handshake.js'
import { limitScript, type ExecLimits } from '../limits/limits.js'
import type { Cgroup } from '../limits/cgroups.js'
import { bridgeScript, proxyEnvironment, type Bridge } from '../proxy/bridge.js'
import type { Launch, Launcher } from '../run/launch.js'

/** The programs that make level `wall`, as the probe found them. */
export interface WallTools {
  /** The full path of bwrap. */
  readonly bwrap: string
  readonly filter: Buffer
  /** The way from the loopback of a command to the socket of the proxy. */
  readonly bridge: Bridge
}

/** Starts commands in a view of their own, by bwrap. */
export class WallLauncher implements Launcher {
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

  async launch(command: string): Promise<Launch> {
    const { bwrap, filter, bridge } = this.#tools
    const view = this.#view
    const isOnline = view.socket !== undefined
    const prelude = (isOnline ? bridgeScript(bridge, SOCKET) : '') + limitScript(this.#limits, true)
    const script = handshakeScript(prelude, command)
    const args = [...(await viewArguments(view)), 'bash', '--noprofile', '--norc', '-c', script]
    const [file = bwrap, ...rest] = this.#group ? await this.#group.command([bwrap, ...args]) : [bwrap, ...args]
    return {
      file,
      args: rest,
      cwd: '/',
      env: {
        HOME: view.home.at,
        TMPDIR: '/tmp',
        // Without a network npm would try again for minutes.
        ...(isOnline ? proxyEnvironment() : { npm_config_fetch_retries: '0' }),
      },
      filter,
      asks: true,
    }
  }

  async ended(): Promise<void> {
    await this.#group?.remove()
  }
}
