import { handshakeScript } from '../handshake/handshake.js'
import { limitScript, type ExecLimits } from '../limits/limits.js'
import type { Launch, Launcher } from '../run/launch.js'
import { fileRules } from './file-rules.js'
import type { ExecView } from '../view/exec-view.js'

/** The helper that adopts the processes of a command, and how perl is called. */
export interface Reaper {
  /** The full path of perl. */
  readonly perl: string
  readonly program: string
}

const bashOf = (command: string, limits: ExecLimits): string[] => [
  ...['bash', '--noprofile', '--norc', '-c', handshakeScript(limitScript(limits, false), command)],
]

/** Starts commands that Landlock keeps to the files of a view. They see the names of all others. */
export class FilesLauncher implements Launcher {
  readonly level = 'files'
  readonly #reaper: Reaper
  readonly #view: ExecView
  readonly #limits: ExecLimits
  readonly #tcp: boolean

  /** @param tcp whether the command may open connections */
  constructor(reaper: Reaper, view: ExecView, limits: ExecLimits, tcp: boolean) {
    this.#reaper = reaper
    this.#view = view
    this.#limits = limits
    this.#tcp = tcp
  }

  async launch(command: string): Promise<Launch> {
    const view = this.#view
    const options = ['land', ...(this.#tcp ? ['tcp'] : []), ...(await fileRules(view))]
    return {
      file: this.#reaper.perl,
      args: ['-e', this.#reaper.program, '--', ...options, '--', ...bashOf(command, this.#limits)],
      cwd: view.cwd,
      env: { HOME: view.home, TMPDIR: view.tmp },
      asks: true,
    }
  }
}

/** Starts commands that nothing holds. With perl they still end with their run. */
export class NoneLauncher implements Launcher {
  readonly level = 'none'
  readonly #reaper: Reaper | undefined
  readonly #cwd: string
  readonly #limits: ExecLimits

  constructor(reaper: Reaper | undefined, cwd: string, limits: ExecLimits) {
    this.#reaper = reaper
    this.#cwd = cwd
    this.#limits = limits
  }

  async launch(command: string): Promise<Launch> {
    const [bash = '', ...args] = bashOf(command, this.#limits)
    const start = { cwd: this.#cwd, env: {}, asks: true }
    if (this.#reaper === undefined) return { ...start, file: bash, args }
    const { perl, program } = this.#reaper
    return { ...start, file: perl, args: ['-e', program, '--', '--', bash, ...args] }
  }
}
