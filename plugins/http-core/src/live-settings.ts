import { relative } from 'node:path'
import { FatalError, type Clock, type Logger } from '@mynah/kernel'
import type { HttpConfig } from './config.js'
import type { OpenCalls } from './open-calls.js'
import type { RouteTokens } from './route-tokens.js'
import { resolveSettings, type Settings } from './settings.js'
import { Tokens } from './tokens.js'
import { watchTokenFile } from './watch-token-file.js'

export interface LiveSettingsOptions {
  readonly config: HttpConfig
  /** Folders of the host; none in a host without files. */
  readonly paths: () => { readonly root: string; readonly data: string } | undefined
  /** Origins of the console that the command line serves. */
  readonly consoleOrigins: () => readonly string[]
  readonly openCalls: OpenCalls
  readonly routeTokens: RouteTokens
  readonly clock: Pick<Clock, 'setTimeout'>
  readonly log: Logger
}

/** The settings of a running server. Changes them in place and ends the streams of tokens that were revoked. */
export class LiveSettings {
  readonly tokens: Tokens
  readonly #options: LiveSettingsOptions
  #config: HttpConfig
  #current: Settings
  #unwatch: () => void = () => {}
  #watchedPath: string | undefined

  /** @throws FatalError where there is no usable admin token. */
  constructor(options: LiveSettingsOptions) {
    this.#options = options
    this.#config = options.config
    this.#current = this.#resolve(options.config)
    this.tokens = new Tokens(this.#current.tokens)
    this.#logTokenFile()
  }

  get current(): Settings {
    return this.#current
  }

  /** The token that opens all routes. */
  get adminToken(): string {
    return this.#current.tokens[0]?.token ?? ''
  }

  /** Starts to watch the file of the generated token, where there is one. */
  watch(): void {
    const path = this.#current.tokenFile?.path
    if (path === this.#watchedPath) return
    this.#unwatch()
    this.#watchedPath = path
    this.#unwatch = path === undefined ? () => {} : watchTokenFile(path, () => this.reload(), this.#options)
  }

  unwatch(): void {
    this.#unwatch()
  }

  /** Reads the admin token again and keeps the old settings where the new token cannot be used. */
  reload(): void {
    try {
      const next = this.#resolve(this.#config)
      if (next.tokens[0]?.token !== this.#current.tokens[0]?.token) this.#apply(next)
    } catch (error) {
      if (!(error instanceof FatalError)) throw error
      this.#options.log.error(`${error.message}; the previous tokens stay valid`)
    }
  }

  /** Applies a configuration. Returns false where it cannot be used; the restart that follows reports why. */
  update(config: HttpConfig): boolean {
    let next: Settings
    try {
      next = this.#resolve(config)
    } catch (error) {
      if (!(error instanceof FatalError)) throw error
      return false
    }
    this.#config = config
    this.#apply(next)
    return true
  }

  #resolve(config: HttpConfig): Settings {
    return resolveSettings(config, {
      environment: process.env,
      data: this.#options.paths()?.data,
      console: this.#options.consoleOrigins(),
    })
  }

  #apply(next: Settings): void {
    const { openCalls, routeTokens } = this.#options
    this.#current = next
    this.tokens.replace(next.tokens)
    openCalls.endRevoked((credential) => this.tokens.isValid(credential) || routeTokens.isValid(credential))
    this.#logTokenFile()
    this.watch()
  }

  #logTokenFile(): void {
    const root = this.#options.paths()?.root
    const file = this.#current.tokenFile
    if (!file || root === undefined) return
    const path = relative(root, file.path)
    this.#options.log.info(
      file.created ? `generated a token; it is in ${path}` : `the token of this host is in ${path}`,
    )
  }
}
