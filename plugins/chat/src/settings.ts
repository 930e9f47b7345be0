import type { CommandsConfig, DispatcherConfig, EndpointConfig } from './config.js'

/** The configuration of chat, checked and with defaults. */
export interface ChatConfig {
  readonly endpoints: readonly EndpointConfig[]
  readonly dispatcher: DispatcherConfig
  readonly commands: CommandsConfig
}

/** The current configuration. Parts read it at each use, so that an update applies without a restart. */
export class ChatSettings {
  #current: ChatConfig

  constructor(initial: ChatConfig) {
    this.#current = initial
  }

  get endpoints(): readonly EndpointConfig[] {
    return this.#current.endpoints
  }

  get dispatcher(): DispatcherConfig {
    return this.#current.dispatcher
  }

  /** The limit of loops, with the defaults of the schema, which are filled in only where the object is given. */
  get loop(): { readonly exchanges: number; readonly seconds: number; readonly answeredWithin: number } {
    const { exchanges = 8, seconds = 60, answeredWithin = 10 } = this.#current.dispatcher.loop ?? {}
    return { exchanges, seconds, answeredWithin }
  }

  get commands(): CommandsConfig {
    return this.#current.commands
  }

  update(next: ChatConfig): void {
    this.#current = next
  }
}
