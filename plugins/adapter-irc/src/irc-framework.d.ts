// The part of irc-framework that is used here; the library brings no types.
declare module 'irc-framework' {
  export interface IrcMessage {
    readonly command: string
    readonly params: readonly string[]
    readonly nick: string
  }

  /** Fields of the events, each event having some of them. */
  export interface IrcEvent {
    readonly nick: string
    readonly ident?: string
    readonly hostname?: string
    readonly new_nick: string
    readonly target: string
    /** The prefix of a message to those above a rank: `@` of `@#room`. */
    readonly group?: string
    readonly message: string
    readonly type: string | null
    readonly channel: string
    readonly kicked: string
    readonly invited: string
    readonly reason?: string
    readonly account?: string | false
    readonly time?: number
    readonly from_server?: boolean
    readonly tags?: Readonly<Record<string, string>>
    readonly batch?: { readonly type: string }
    readonly users: readonly { readonly nick: string; readonly modes: readonly string[] }[]
    readonly modes: readonly { readonly mode: string; readonly param: string | null }[]
  }

  export interface ClientOptions {
    host: string
    port: number
    tls: boolean
    rejectUnauthorized?: boolean
    ca?: string
    nick: string
    username: string
    gecos: string
    password?: string
    account: { account?: string; password?: string }
    sasl_disconnect_on_fail: boolean
    auto_reconnect: false
    enable_echomessage: boolean
    ping_interval: number
    ping_timeout: number
    version: string
    transport: new (options: ClientOptions) => unknown
  }

  interface Emitter {
    on(event: string, listener: (event: IrcEvent) => void): unknown
    removeAllListeners(event?: string): unknown
  }

  export class Client implements Emitter {
    readonly connected: boolean
    readonly user: { nick: string }
    readonly command_handler: { readonly _caches: Readonly<Record<string, unknown>>; resetCache(): void }
    readonly network: {
      readonly cap: { isEnabled(name: string): boolean }
      readonly options: {
        readonly PREFIX: readonly { readonly symbol: string; readonly mode: string }[]
        readonly [name: string]: unknown
      }
      isChannelName(name: string): boolean
    }
    readonly connection: {
      write(line: string, callback?: (error?: Error | null) => void): unknown
      clearTimers(): void
      readonly transport: { close(force: boolean): void; disposeSocket(): void } | null
      on(event: 'message', listener: (message: IrcMessage) => void): unknown
      on(event: 'malformed', listener: (error: unknown) => void): unknown
      removeAllListeners(event?: string): unknown
    }
    connect(options: ClientOptions): void
    requestCap(names: readonly string[]): void
    caseLower(text: string): string
    on(event: 'socket close', listener: (error: Error | false | undefined) => void): this
    on(event: 'ping timeout', listener: () => void): this
    on(event: string, listener: (event: IrcEvent) => void): this
    removeAllListeners(event?: string): this
  }

  const irc: { readonly Client: typeof Client }
  export default irc
}
