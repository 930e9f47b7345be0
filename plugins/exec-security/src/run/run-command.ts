import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { commandEnvironment } from './environment.js'
import { signalInner } from './inner-processes.js'
import { killLeftovers, MARK, traceOf, type ProcessTrace } from './leftovers.js'
import { BoundedOutput } from './bounded-output.js'
import type { Launch, Launcher } from './launch.js'
import { answerHandshake, DESCRIPTOR } from '../handshake/handshake.js'
import type { ExecLevel } from '../levels/level.js'
import { FILTER_DESCRIPTOR, FIRST_DESCRIPTOR } from '../view/exec-view.js'

/** The options of {@link runCommand}. */
export interface RunOptions {
  /** The working directory. */
  readonly cwd: string
  /** After this many milliseconds everything that the command started is killed. Default two minutes, at most a day. */
  readonly limitMs?: number | undefined
  /** Variables added to those that a command is given. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Further names of variables of the host that pass. */
  readonly passes?: readonly string[] | undefined
  /** Receives output as it comes, both streams in order of arrival, without the limit on what is kept. */
  readonly onOutput?: ((text: string) => void) | undefined
  /** Receives output as bytes: stream 1, or 2 for errors. */
  readonly onBytes?: ((stream: 1 | 2, bytes: Buffer) => void) | undefined
  /** The standard input. The default is empty. */
  readonly input?: Readable | undefined
  /** Kills the command when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Characters of output that are kept. The default is 50,000. */
  readonly maxOutput?: number | undefined
  /** Starts the command and holds it. The default is bash on its own. */
  readonly launcher?: Launcher | undefined
}

/** The result of a command. */
export interface RunResult {
  /** The exit code, or null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal?: NodeJS.Signals
  /** Standard output and standard error in their order. A long output is cut in the middle. */
  readonly output: string
  readonly truncated: boolean
  readonly durationMs: number
  readonly timedOut: boolean
  /** The level that held it. */
  readonly level: ExecLevel
  /** Processes that it left behind and that could not be ended. */
  readonly leftovers: readonly string[]
}

const DEFAULT_OUTPUT = 50_000
/** From the first signal to the second. */
const TERM_MS = 400
/** From the end of the command, or the second signal, until its output is no longer waited for. */
const DRAIN_MS = 400
const DEFAULT_LIMIT_MS = 120_000
const ENDED_BY_TERM = 128 + 15
const MAX_LIMIT_MS = 86_400_000

const limitOf = (ms: number | undefined): number =>
  ms === undefined || Number.isNaN(ms) ? DEFAULT_LIMIT_MS : Math.min(Math.max(0, ms), MAX_LIMIT_MS)

/**
 * Runs a text with bash, the shell that the policy parses it for. Call `evaluateCommand` first.
 * Returns within the limit and a second, also if the command started others. Every end of the command is a result.
 *
 * @throws Error if bash cannot be started
 */
export async function runCommand(command: string, options: RunOptions): Promise<RunResult> {
  const mark = randomUUID()
  const launch = await (options.launcher ?? new PlainLauncher(options.cwd)).launch(command)
  const env = commandEnvironment(process.env, options.passes, {
    ...options.env,
    ...launch.env,
    ...(options.launcher?.level === 'wall' ? {} : { [MARK]: mark }),
  })
  try {
    return await new Promise((resolve, reject) => {
      const started: { run?: CommandRun } = {}
      const child = spawn(launch.file, launch.args, {
        cwd: launch.cwd,
        env,
        stdio: stdioOf(launch, options.input !== undefined),
        detached: true,
      })
      child.once('error', (error) => {
        // Without free descriptors there are no streams either, and no run.
        started.run?.clear()
        reject(new Error('failed to start bash', { cause: error }))
      })
      if (launch.filter) sendFilter(child, launch.filter)
      if (launch.asks) answerHandshake(child)
      started.run = new CommandRun(child, options, mark, resolve)
    })
  } finally {
    await options.launcher?.ended?.()
  }
}

/** Starts bash on its own. */
class PlainLauncher implements Launcher {
  readonly level = 'none'
  readonly #cwd: string

  constructor(cwd: string) {
    this.#cwd = cwd
  }

  async launch(command: string): Promise<Launch> {
    const args = ['--noprofile', '--norc', '-c', command]
    return { file: 'bash', args, cwd: this.#cwd, env: {}, asks: false }
  }
}

function stdioOf({ filter, asks, descriptors = [] }: Launch, hasInput: boolean): StdioOptions {
  const stdio: ('ignore' | 'pipe' | number)[] = Array<'ignore'>(FIRST_DESCRIPTOR).fill('ignore')
  stdio[1] = stdio[2] = 'pipe'
  if (hasInput) stdio[0] = 'pipe'
  stdio.push(...descriptors)
  if (filter) stdio[FILTER_DESCRIPTOR] = 'pipe'
  if (asks) stdio[DESCRIPTOR] = 'pipe'
  return stdio
}

/** Without all of it bwrap starts nothing. */
function sendFilter(child: ChildProcess, filter: Buffer): void {
  const pipe = (child.stdio as readonly unknown[])[FILTER_DESCRIPTOR] as Writable | null | undefined
  pipe?.on('error', () => pipe.destroy())
  pipe?.end(filter)
}

/** One command while it runs. */
class CommandRun {
  readonly #child: ChildProcess
  readonly #options: RunOptions
  readonly #resolve: (result: RunResult) => void
  readonly #started = performance.now()
  readonly #output: BoundedOutput
  readonly #trace: ProcessTrace | undefined
  readonly #stop = (): void => this.stop()
  #limit: NodeJS.Timeout | undefined
  #grace: NodeJS.Timeout | undefined
  #drain: NodeJS.Timeout | undefined
  #timedOut = false
  #ended: { readonly code: number | null; readonly signal: NodeJS.Signals | null } | undefined
  #swept: Promise<readonly string[]> | undefined
  #over = false

  constructor(child: ChildProcess, options: RunOptions, mark: string, resolve: (result: RunResult) => void) {
    this.#child = child
    this.#options = options
    this.#resolve = resolve
    this.#output = new BoundedOutput(options.maxOutput ?? DEFAULT_OUTPUT)
    if (child.pid !== undefined && options.launcher?.level !== 'wall') this.#trace = traceOf(child.pid, mark)
    this.#limit = setTimeout(() => {
      this.#timedOut = true
      this.stop()
    }, limitOf(options.limitMs))
    if (options.signal?.aborted === true) this.stop()
    else options.signal?.addEventListener('abort', this.#stop, { once: true })
    this.#listen()
    child.once('exit', (code, signal) => {
      // bwrap ends with a number where a signal has ended what runs in the view.
      const isEnded = this.#grace !== undefined && code === ENDED_BY_TERM
      this.#ended = isEnded ? { code: null, signal: 'SIGTERM' } : { code, signal }
      // Background processes of the command must not outlive it or hold its output open.
      this.#kill('SIGKILL')
      void this.#sweep()
      this.#drain ??= setTimeout(() => void this.#finish(), DRAIN_MS)
    })
    child.once('close', () => void this.#finish())
  }

  stop(): void {
    if (this.#grace) return
    const { pid } = this.#child
    const isHeld = this.#options.launcher?.level === 'wall'
    if (!isHeld || pid === undefined || !signalInner(pid, 'SIGTERM')) this.#kill('SIGTERM')
    this.#grace = setTimeout(() => {
      this.#kill('SIGKILL')
      void this.#sweep()
      this.#drain ??= setTimeout(() => void this.#finish(), DRAIN_MS)
    }, TERM_MS)
  }

  clear(): void {
    for (const timer of [this.#limit, this.#grace, this.#drain]) clearTimeout(timer)
    this.#options.signal?.removeEventListener('abort', this.#stop)
  }

  #listen(): void {
    const { input, onBytes } = this.#options
    const { stdin, stdout, stderr } = this.#child
    if (input && stdin) {
      stdin.on('error', () => stdin.destroy())
      input.pipe(stdin)
    }
    for (const stream of [stdout, stderr]) {
      const decoder = new StringDecoder('utf8')
      stream?.on('data', (chunk: Buffer) => {
        onBytes?.(stream === stdout ? 1 : 2, chunk)
        const text = decoder.write(chunk)
        this.#output.add(text)
        if (text !== '') this.#options.onOutput?.(text)
      })
    }
  }

  async #finish(): Promise<void> {
    if (this.#over) return
    this.#over = true
    this.clear()
    const leftovers = await this.#sweep()
    // A process may still hold the other ends. Destroyed pipes do not keep the host running.
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
    this.#child.unref()
    const { code = null, signal = 'SIGKILL' as const } = this.#ended ?? {}
    this.#resolve({
      exitCode: code,
      ...(signal === null ? {} : { signal }),
      truncated: this.#output.truncated,
      output: this.#output.toString(),
      durationMs: Math.round(performance.now() - this.#started),
      timedOut: this.#timedOut,
      level: this.#options.launcher?.level ?? 'none',
      leftovers,
    })
  }

  /** At level `wall` everything ends with its first process. */
  #sweep(): Promise<readonly string[]> {
    return (this.#swept ??= this.#trace ? killLeftovers(this.#trace) : Promise.resolve([]))
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch (error) {
      // The group may have ended in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH')
        this.#output.add(`\n[a process could not be ended: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}]\n`)
    }
  }
}
