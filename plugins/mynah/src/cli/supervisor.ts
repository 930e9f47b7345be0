// Runs the host as a child process: starts it again when it asks for that or crashes, stops it cleanly on a signal.
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { logger, type Logger } from './supervisor-log.js'
import { EXIT } from './exit-codes.js'
import type { HostMessage, HostOrder, StopMessage } from './protocol.js'

const HOST_PROCESS = fileURLToPath(new URL('./host-process.js', import.meta.url))
const CRASHES = 5
const CRASH_WINDOW_MS = 60_000
const FIRST_PAUSE_MS = 250
const STOP_PATIENCE_MS = 20_000
/** Ends for which another start would change nothing. */
const FINAL = new Set<number>([EXIT.ok, EXIT.configuration, EXIT.port])

export interface SupervisorOptions {
  readonly order: HostOrder
  readonly onMessage?: (message: HostMessage) => void
  /** A host that cannot start is waited for: something will be mended and {@link Supervisor.restart} called. */
  readonly waitsForRepair?: boolean
}

export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #log: Logger
  #child: ChildProcess | undefined
  #crashes: number[] = []
  #stopping = false
  #again = false
  #timer: NodeJS.Timeout | undefined
  #finish: (code: number) => void = () => {}

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#log = logger()
  }

  /** Runs until the host ends for good; resolves with the exit code. */
  async run(): Promise<number> {
    const onSignal = (): void => this.#signal()
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
    process.on('SIGHUP', onSignal)
    try {
      return await new Promise<number>((resolve) => {
        this.#finish = resolve
        this.#spawn()
      })
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal)
      clearTimeout(this.#timer)
    }
  }

  /** Whether there is a host now. */
  get hasHost(): boolean {
    return this.#child !== undefined
  }

  /** Stops the host, if one runs, and starts it again. */
  restart(): void {
    if (this.#stopping) return
    if (!this.#child) {
      clearTimeout(this.#timer)
      this.#spawn()
      return
    }
    this.#again = true
    this.#stopChild(this.#child)
  }

  #spawn(): void {
    const child = fork(HOST_PROCESS, [JSON.stringify(this.#options.order)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#child = child
    child.on('message', (message) => this.#options.onMessage?.(message as HostMessage))
    child.on('error', (error) => this.#log.error(`the host process could not be started: ${error.message}`))
    child.on('exit', (code, signal) => {
      if (this.#child !== child) return
      this.#child = undefined
      clearTimeout(this.#timer)
      this.#ended(code, signal)
    })
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#stopping) return this.#finish(code ?? EXIT.failure)
    if (this.#again || code === EXIT.restart) {
      this.#again = false
      return this.#spawn()
    }
    if (this.#options.waitsForRepair && code !== EXIT.ok) return this.#log.warn('the host has ended; it is started again when a file changes')
    if (code !== null && FINAL.has(code)) return this.#finish(code)
    this.#crashed(code === null ? `by ${signal ?? 'a signal'}` : `with exit code ${code}`)
  }

  #crashed(how: string): void {
    const now = Date.now()
    this.#crashes = [...this.#crashes.filter((time) => now - time < CRASH_WINDOW_MS), now]
    if (this.#crashes.length >= CRASHES) {
      this.#log.error(`the host ended ${how}, for the ${CRASHES}th time within ${CRASH_WINDOW_MS / 1000} s: giving up. The lines above say why; "mynah doctor" may help`)
      return this.#finish(EXIT.failure)
    }
    const pause = FIRST_PAUSE_MS * 2 ** (this.#crashes.length - 1)
    this.#log.error(`the host ended ${how}; starting it again in ${pause} ms`)
    this.#timer = setTimeout(() => this.#spawn(), pause)
  }

  #signal(): void {
    if (this.#stopping) {
      // The child first, and outright: whoever asks twice does not want to wait.
      this.#child?.kill('SIGKILL')
      return this.#finish(EXIT.interrupted)
    }
    this.#stopping = true
    if (!this.#child) return this.#finish(EXIT.ok)
    this.#stopChild(this.#child)
  }

  #stopChild(child: ChildProcess): void {
    const stop: StopMessage = { type: 'stop' }
    if (child.connected) child.send(stop)
    else child.kill('SIGTERM')
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#log.error(`the host did not stop within ${STOP_PATIENCE_MS / 1000} s and is ended`)
      child.kill('SIGKILL')
    }, STOP_PATIENCE_MS)
  }
}
