import { relative } from 'node:path'
import type { ReloadedPlugin } from '../modules/code-reloader.js'
import { isModule } from '../source-watcher.js'
import type { Logger } from '../supervisor-log.js'
import type { Supervisor } from '../supervisor.js'

/** Lets the host load the changed code of plugins, and restarts it after any other change. */
export class CodeChanges {
  readonly #supervisor: Pick<Supervisor, 'hasHost' | 'restart' | 'reloadCode'>
  readonly #log: Logger
  /** Returns the mistakes of the configuration, if any. */
  readonly #mistakes: () => Promise<string | undefined>
  readonly #onReload: (plugins: readonly ReloadedPlugin[]) => void
  #changes = 0
  #restarts = 0

  constructor(
    supervisor: Pick<Supervisor, 'hasHost' | 'restart' | 'reloadCode'>,
    log: Logger,
    mistakes: () => Promise<string | undefined>,
    onReload: (plugins: readonly ReloadedPlugin[]) => void,
  ) {
    this.#supervisor = supervisor
    this.#log = log
    this.#mistakes = mistakes
    this.#onReload = onReload
  }

  async changed(files: readonly string[]): Promise<void> {
    const mine = ++this.#changes
    const shown = files.map((file) => relative(process.cwd(), file)).join(', ')
    if (!this.#supervisor.hasHost) return this.#restart(shown)
    if (files.every(isModule)) return this.#reload(files, shown)
    if (files.some(isModule)) return this.#restart(shown)
    // An invalid configuration does not stop the running host.
    const mistakes = await this.#mistakes()
    if (mine !== this.#changes) return
    if (mistakes === undefined) this.#restart(shown)
    else this.#log.error(`${shown} changed, but it is invalid; the running host is kept:\n${mistakes}`)
  }

  async #reload(files: readonly string[], shown: string): Promise<void> {
    const restarts = this.#restarts
    const startedAt = performance.now()
    const plugins = await this.#supervisor.reloadCode(files)
    // A process that was started since has the new code.
    if (restarts !== this.#restarts) return
    if (!plugins?.length) return this.#restart(shown)
    const stuck = plugins.find(({ state }) => state === 'restart')
    if (stuck) return this.#restart(shown, stuck.message)
    const reloaded = plugins.filter(({ state }) => state === 'reloaded').map(({ plugin }) => plugin)
    const ms = Math.round(performance.now() - startedAt)
    if (reloaded.length) this.#log.info(`${shown} changed: reloaded ${reloaded.join(', ')} in ${ms} ms`)
    for (const result of plugins) if (result.state !== 'reloaded') this.#log.error(failureOf(shown, result))
    this.#onReload(plugins)
  }

  #restart(shown: string, reason?: string): void {
    this.#restarts++
    this.#log.info(`${shown} changed: restarting${reason ? `, as ${reason}` : ''}`)
    this.#supervisor.restart()
  }
}

function failureOf(shown: string, { plugin, state, message = '', location }: ReloadedPlugin): string {
  const at = location && !message.includes(`${location.file}:${location.line}`) ? ` (${placeOf(location)})` : ''
  switch (state) {
    case 'rolled-back':
      return `${shown} changed, but ${plugin} did not start; its code before runs again: ${message}${at}`
    case 'failed':
      return `${shown} changed, but ${plugin} did not start: ${message}${at}`
    default:
      return `${shown} changed, but ${plugin} keeps its code before: ${message}${at}`
  }
}

const placeOf = ({ file, line, column }: NonNullable<ReloadedPlugin['location']>): string =>
  [file, line, column].filter((part) => part !== undefined).join(':')
