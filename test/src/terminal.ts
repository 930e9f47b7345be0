// A program in a terminal of its own, as a person starts it.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'

/** Runs a program in a new terminal. */
const SCRIPT = '/usr/bin/script'
// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001b\[[0-9;?]{0,10}[A-Za-z]|\r/g
const STOP_MS = 20_000

export interface TerminalOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
}

/** Returns whether this machine can give a program a terminal. */
export const hasTerminal = (): boolean => existsSync(SCRIPT)

export class Terminal {
  readonly #child: ChildProcessWithoutNullStreams
  #since = ''
  #whole = ''
  #onOutput = (): void => {}

  constructor(command: string, { cwd, env = process.env }: TerminalOptions) {
    this.#child = spawn(SCRIPT, ['-qec', command, '/dev/null'], { cwd, env, detached: true })
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const plain = text.replace(ESCAPES, '')
      this.#since += plain
      this.#whole += plain
      this.#onOutput()
    })
    this.#child.once('close', () => this.#onOutput())
  }

  /** All that was shown. */
  get said(): string {
    return this.#whole
  }

  /**
   * Waits until something is shown after the last answer. Resolves to all that was shown after it.
   *
   * @throws when the program ends first, or after `limitMs`
   */
  async shows(pattern: RegExp, limitMs = 45_000): Promise<string> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.#onOutput()
    }, limitMs)
    try {
      while (!pattern.test(this.#since)) {
        if (isLate || this.#child.exitCode !== null)
          throw new Error(`${pattern} was not shown, but: ${this.#whole.slice(-2000)}`)
        await new Promise<void>((resolve) => {
          this.#onOutput = resolve
        })
      }
      return this.#since
    } finally {
      clearTimeout(timer)
    }
  }

  /** Types an answer and presses Enter. */
  type(text: string): void {
    this.#since = ''
    this.#child.stdin.write(`${text}\r`)
  }

  /** Resolves to the exit code of the program. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, 'exit')
    return this.#child.exitCode
  }

  /** Presses Ctrl-C, and ends the program when it does not end by that. */
  async stop(): Promise<void> {
    const child = this.#child
    if (child.exitCode !== null || child.pid === undefined) return
    const { pid } = child
    const timer = setTimeout(() => process.kill(-pid, 'SIGKILL'), STOP_MS)
    child.stdin.write('\u0003')
    await this.ended()
    clearTimeout(timer)
  }
}
