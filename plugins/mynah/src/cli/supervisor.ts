// Runs the host as a child process: starts it again when it asks for that or crashes, stops it cleanly on a signal.
import { fork, type ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '@mynah/kernel'
import { Control, type ControlAnswer } from './control.js'
import { logger, type Logger } from './supervisor-log.js'
import { EXIT } from './exit-codes.js'
import { tellServiceManager } from './service-manager.js'
import type { HostMessage, HostOrder, Reloaded, SupervisorMessage } from './protocol.js'

const HOST_PROCESS = fileURLToPath(new URL('./host-process.js', import.meta.url))
const CRASHES = 5
const CRASH_WINDOW_MS = 60_000
const FIRST_PAUSE_MS = 250
/** Draining has 30 s; the rest is for undoing. */
const STOP_PATIENCE_MS = 50_000
/** Not SIGHUP: that comes when a terminal goes, and then a host stops. */
const RELOAD_SIGNAL = 'SIGUSR2'
/** Loading code makes the heap of young objects grow to 32 MB, which a host at rest then keeps and never needs. */
const YOUNG = ['--max-semi-space-size=4']
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
  #isReady = false
  #again = false
  #timer: NodeJS.Timeout | undefined
  #finish: (code: number) => void = () => {}
  #reloads = 0
  readonly #waiting = new Map<number, (result: Reloaded) => void>()

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
    const onReload = (): void => void this.#reloadBySignal()
    process.on(RELOAD_SIGNAL, onReload)
    const control = await this.#openControl()
    try {
      return await new Promise<number>((resolve) => {
        this.#finish = resolve
        this.#spawn()
      })
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal)
      process.off(RELOAD_SIGNAL, onReload)
      clearTimeout(this.#timer)
      await control?.close()
    }
  }

  async #openControl(): Promise<Control | undefined> {
    try {
      return await Control.open(
        join(dirname(this.#options.order.file), 'data'),
        async ({ do: what }): Promise<ControlAnswer> => {
          if (what === 'ping') return { pid: process.pid }
          if (what === 'reload') return { pid: process.pid, result: await this.reload() }
          return { error: 'no such request' }
        },
      )
    } catch (error) {
      // A host whose folder cannot be written still runs, as far as its plugins can.
      this.#log.warn(
        `"mynah reload" cannot reach this host (${(error as NodeJS.ErrnoException).code ?? messageOf(error)}); the signal ${RELOAD_SIGNAL} can`,
      )
      return undefined
    }
  }

  /** Lets the host read its configuration, environment files and tokens again. */
  reload(): Promise<Reloaded> {
    const child = this.#child
    if (!child?.connected || this.#stopping)
      return Promise.resolve({ accepted: false, lines: ['the host is not running now'] })
    const id = ++this.#reloads
    return new Promise((resolve) => {
      const answer = (result: Reloaded): void => {
        this.#waiting.delete(id)
        child.off('exit', gone)
        resolve(result)
      }
      const gone = (): void => answer({ accepted: false, lines: ['the host ended before it had answered'] })
      this.#waiting.set(id, answer)
      child.once('exit', gone)
      child.send({ type: 'reload', id } satisfies SupervisorMessage)
    })
  }

  async #reloadBySignal(): Promise<void> {
    const { accepted, lines } = await this.reload()
    for (const line of lines) this.#log[accepted ? 'info' : 'error'](line)
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
    const child = fork(HOST_PROCESS, [JSON.stringify(this.#options.order)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [...YOUNG, ...process.execArgv],
    })
    this.#child = child
    child.on('message', (message: HostMessage) => {
      if (message.type === 'reloaded') this.#waiting.get(message.id)?.(message.result)
      else this.#options.onMessage?.(message)
      if (message.type === 'started' && !this.#isReady) {
        this.#isReady = true
        tellServiceManager('READY=1', this.#log)
      }
    })
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
    if (this.#options.waitsForRepair && code !== EXIT.ok)
      return this.#log.warn('the host has ended; it is started again when a file changes')
    if (code !== null && FINAL.has(code)) return this.#finish(code)
    this.#crashed(code === null ? `by ${signal ?? 'a signal'}` : `with exit code ${code}`)
  }

  #crashed(how: string): void {
    const now = Date.now()
    this.#crashes = [...this.#crashes.filter((time) => now - time < CRASH_WINDOW_MS), now]
    if (this.#crashes.length >= CRASHES) {
      this.#log.error(
        `the host ended ${how}, for the ${CRASHES}th time within ${CRASH_WINDOW_MS / 1000} s: giving up. The lines above say why; "mynah doctor" may help`,
      )
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
    tellServiceManager('STOPPING=1', this.#log)
    if (!this.#child) return this.#finish(EXIT.ok)
    this.#stopChild(this.#child)
  }

  #stopChild(child: ChildProcess): void {
    if (child.connected) child.send({ type: 'stop' } satisfies SupervisorMessage)
    else child.kill('SIGTERM')
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#log.error(`the host did not stop within ${STOP_PATIENCE_MS / 1000} s and is ended`)
      child.kill('SIGKILL')
    }, STOP_PATIENCE_MS)
  }
}
