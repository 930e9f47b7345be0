import { fork, type ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '@mynah/kernel'
import { backoff } from '@mynah/kernel/util'
import { Control, type ControlAnswer } from './control.js'
import type { DevStatus } from '@mynah/contract'
import type { ReloadedPlugin } from './modules/code-reloader.js'
import { logger, type Logger } from './supervisor-log.js'
import { EXIT } from './exit-codes.js'
import type { LiveUpdate } from './packages/live-packages.js'
import { StartGuard } from './packages/start-guard.js'
import { notifyServiceManager } from './service-manager.js'
import type {
  ConfigurationResult,
  HostMessage,
  HostOrder,
  PushOrder,
  ReloadResult,
  SupervisorMessage,
} from './protocol.js'

const HOST_PROCESS = fileURLToPath(new URL('./host-process.js', import.meta.url))
const CRASHES = 5
const CRASH_WINDOW_MS = 60_000
const FIRST_DELAY_MS = 250
/** Draining may take 30 s; the rest is for disposing. */
const STOP_TIMEOUT_MS = 50_000
/** Not SIGHUP, which is sent when a terminal closes and stops the host. */
const RELOAD_SIGNAL = 'SIGUSR2'
/** Limits the young generation of the heap, which grows to 32 MB while code is loaded and is never needed later. */
const YOUNG = ['--max-semi-space-size=4']
/** Exit codes after which a restart would not help. */
const FINAL = new Set<number>([EXIT.ok, EXIT.configuration, EXIT.port])

export interface SupervisorOptions {
  readonly order: HostOrder
  readonly onMessage?: (message: HostMessage) => void
  /** Waits after a failed start until a file changes and {@link Supervisor.restart} is called, instead of giving up. */
  readonly restartOnChange?: boolean
}

/** Runs the host as a child process. Restarts it on request or after a crash, and stops it cleanly on a signal. */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #log: Logger
  readonly #packages: StartGuard
  #child: ChildProcess | undefined
  #crashes: number[] = []
  #stopping = false
  #isReady = false
  #isStarting = false
  #restartRequested = false
  #timer: NodeJS.Timeout | undefined
  #finish: (code: number) => void = () => {}
  #requests = 0
  /** Requests that the host process has not answered. */
  readonly #waiting = new Map<number, (answer: unknown) => void>()

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#log = logger()
    this.#packages = new StartGuard(dirname(options.order.file), (message) => this.#log.warn(message))
  }

  /** Runs until the host ends for good. Resolves with the exit code. */
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
        void this.#start()
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
        async ({ do: what, push }): Promise<ControlAnswer> => {
          if (what === 'ping') return { pid: process.pid }
          if (what === 'status') return { pid: process.pid, report: await this.#ask('status', undefined) }
          if (what === 'token') return { pid: process.pid, token: await this.#ask('token', undefined) }
          if (what === 'reload') return { pid: process.pid, result: await this.reload() }
          if (what === 'support')
            return {
              pid: process.pid,
              facts: await this.#ask('support', undefined),
              supervisor: this.#log.failures.toArray(),
            }
          if (what === 'configuration') return { pid: process.pid, configuration: await this.#askConfiguration(push) }
          if (what === 'packages') return { pid: process.pid, update: await this.#updatePackages() }
          if (what === 'restart') {
            this.restart()
            return { pid: process.pid }
          }
          return { error: 'unknown request' }
        },
      )
    } catch (error) {
      // The host also runs if its folder is not writable.
      const reason = (error as NodeJS.ErrnoException).code ?? messageOf(error)
      this.#log.warn(`"mynah reload" cannot reach this host (${reason}); send it the signal ${RELOAD_SIGNAL} instead`)
      return undefined
    }
  }

  /** Makes the host read its configuration, environment files and tokens again. */
  reload(): Promise<ReloadResult> {
    return this.#ask('reload', { accepted: false, lines: ['the host is not running'] })
  }

  /** Lets the host use packages that have changed, by a restart where it cannot load them. */
  async #updatePackages(): Promise<LiveUpdate | undefined> {
    const update = await this.#ask<LiveUpdate | undefined>('packages', undefined)
    // A host that has ended starts again by itself, and one that starts may have loaded some of them.
    if (update ? update.state === 'restart' : this.#child?.connected) this.restart()
    return update
  }

  /** Compares the configuration file with what all hosts run, or pushes it. */
  #askConfiguration(push: PushOrder | undefined): Promise<ConfigurationResult | undefined> {
    return this.#ask('configuration', undefined, { push })
  }

  /**
   * Lets the host load the code of the plugins that these files belong to. Undefined where no host could do it.
   */
  reloadCode(files: readonly string[]): Promise<readonly ReloadedPlugin[] | undefined> {
    return this.#ask('code', undefined, { files })
  }

  /** Gives the host process the state of the code, if there is one. */
  sendStatus(status: DevStatus): void {
    if (this.#child?.connected) this.#child.send({ type: 'author', status } satisfies SupervisorMessage)
  }

  /** Asks the host process. Resolves with `otherwise` where it does not run, or ends before it answers. */
  #ask<T>(
    type: Exclude<SupervisorMessage['type'], 'stop' | 'author'>,
    otherwise: T,
    more: { readonly push?: PushOrder | undefined; readonly files?: readonly string[] } = {},
  ): Promise<T> {
    const child = this.#child
    if (!child?.connected || this.#stopping) return Promise.resolve(otherwise)
    const id = ++this.#requests
    return new Promise((resolve) => {
      const answer = (given: unknown): void => {
        this.#waiting.delete(id)
        child.off('exit', gone)
        resolve(given as T)
      }
      const gone = (): void => answer(otherwise)
      this.#waiting.set(id, answer)
      child.once('exit', gone)
      child.send({ type, id, ...more } as SupervisorMessage)
    })
  }

  async #reloadBySignal(): Promise<void> {
    const { accepted, lines } = await this.reload()
    for (const line of lines) this.#log[accepted ? 'info' : 'error'](line)
  }

  /** True while a host process exists. */
  get hasHost(): boolean {
    return this.#child !== undefined
  }

  /** Stops the host if it is running, and starts it again. */
  restart(): void {
    if (this.#stopping) return
    if (!this.#child) {
      clearTimeout(this.#timer)
      void this.#start()
      return
    }
    this.#restartRequested = true
    this.#stopChild(this.#child)
  }

  /** Starts the host process, once its packages are whole. */
  async #start(): Promise<void> {
    if (this.#isStarting) return
    this.#isStarting = true
    try {
      const rest = await this.#packages.beforeStart()
      if (rest) this.#log.warn(rest)
    } catch (error) {
      this.#log.error(`failed to finish an interrupted installation: ${messageOf(error)}`)
    } finally {
      this.#isStarting = false
    }
    if (this.#stopping) return this.#finish(EXIT.ok)
    this.#spawn()
  }

  #spawn(): void {
    const child = fork(HOST_PROCESS, [JSON.stringify(this.#options.order)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [...YOUNG, ...process.execArgv],
    })
    this.#child = child
    child.on('message', (message: HostMessage) => {
      if (message.type === 'answer') this.#waiting.get(message.id)?.(message.answer)
      else this.#options.onMessage?.(message)
      if (message.type === 'started' || message.type === 'updated') this.#packages.started()
      if (message.type === 'started' && !this.#isReady) {
        this.#isReady = true
        notifyServiceManager('READY=1', this.#log)
      }
    })
    child.on('error', (error) => this.#log.error(`failed to start the host process: ${error.message}`))
    child.on('exit', (code, signal) => {
      if (this.#child !== child) return
      this.#child = undefined
      clearTimeout(this.#timer)
      void this.#endedWith(code, signal)
    })
  }

  /** Starts the host again where new packages may be the reason of the end. */
  async #endedWith(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (this.#stopping || this.#restartRequested) return this.#ended(code, signal)
    const after = await this.#packages.ended(code).catch((error: unknown) => {
      this.#log.error(`failed to put packages back: ${messageOf(error)}`)
      return 'as-usual' as const
    })
    if (after === 'as-usual' || this.#stopping) return this.#ended(code, signal)
    this.#log.error(
      after === 'rolled-back'
        ? 'the host did not start twice with new packages; those of before are back'
        : 'the host ended with new packages; it is started once more with them',
    )
    await this.#start()
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#stopping) return this.#finish(code ?? EXIT.failure)
    if (this.#restartRequested || code === EXIT.restart) {
      this.#restartRequested = false
      return void this.#start()
    }
    if (this.#options.restartOnChange && code !== EXIT.ok)
      return this.#log.warn('the host has ended; it restarts when a file changes')
    if (code !== null && FINAL.has(code)) return this.#finish(code)
    this.#crashed(code === null ? `by ${signal ?? 'a signal'}` : `with exit code ${code}`)
  }

  #crashed(how: string): void {
    const now = Date.now()
    this.#crashes = [...this.#crashes.filter((time) => now - time < CRASH_WINDOW_MS), now]
    if (this.#crashes.length >= CRASHES) {
      this.#log.error(
        `the host ended ${how}, for the ${CRASHES}th time within ${CRASH_WINDOW_MS / 1000} s: giving up. ` +
          'The lines above show the cause; "mynah doctor" may help',
      )
      return this.#finish(EXIT.failure)
    }
    const delay = backoff(this.#crashes.length - 1, { firstMs: FIRST_DELAY_MS, maxMs: CRASH_WINDOW_MS })
    this.#log.error(`the host ended ${how}; restarting it in ${delay} ms`)
    this.#timer = setTimeout(() => void this.#start(), delay)
  }

  #signal(): void {
    if (this.#stopping) {
      // A second signal ends the child at once.
      this.#child?.kill('SIGKILL')
      return this.#finish(EXIT.interrupted)
    }
    this.#stopping = true
    notifyServiceManager('STOPPING=1', this.#log)
    if (!this.#child) return this.#finish(EXIT.ok)
    this.#stopChild(this.#child)
  }

  #stopChild(child: ChildProcess): void {
    if (child.connected) child.send({ type: 'stop' } satisfies SupervisorMessage)
    else child.kill('SIGTERM')
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#log.error(`the host did not stop within ${STOP_TIMEOUT_MS / 1000} s and is killed`)
      child.kill('SIGKILL')
    }, STOP_TIMEOUT_MS)
  }
}
