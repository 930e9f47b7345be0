// The parts of @xmpp/client that this adapter uses. The package has no types.
declare module '@xmpp/client' {
  import type { EventEmitter } from 'node:events'

  export interface Element {
    readonly name: string
    readonly attrs: Readonly<Record<string, string | undefined>>
    children: readonly (Element | string)[]
    is(name: string, xmlns?: string): boolean
    getChild(name: string, xmlns?: string): Element | undefined
    getChildren(name: string, xmlns?: string): Element[]
    getChildText(name: string, xmlns?: string): string | null
    getNS(): string | undefined
    text(): string
  }

  export interface SaslMechanism {
    name: string
    clientFirst: boolean
    response(credentials: { readonly username: string; readonly password: string }): string
    challenge(text: string): void
  }

  export interface Client extends EventEmitter {
    readonly status: string
    readonly jid: { bare(): { toString(): string }; toString(): string } | null
    readonly socket: { destroy(): void } | null
    readonly parser: { write(text: string): void } | null
    readonly reconnect: { stop(): void }
    readonly iqCaller: { request(stanza: Element, timeoutMs?: number): Promise<Element> }
    readonly saslFactory: { _mechs: unknown[]; use(name: string, mechanism: new () => SaslMechanism): void }
    _onElement: (element: Element) => void
    _onData: (data: Buffer) => void
    _onSeeOtherHost: (error: Error) => void
    isSecure(): boolean
    start(): Promise<unknown>
    stop(): Promise<unknown>
    send(stanza: Element): Promise<void>
  }

  export interface ClientOptions {
    readonly service: string
    readonly domain: string
    readonly resource: string
    readonly timeout: number
    readonly credentials: (
      authenticate: (
        credentials: { readonly username: string; readonly password: string },
        mechanism: string,
      ) => Promise<void>,
      mechanisms: readonly string[],
    ) => Promise<void>
  }

  export function client(options: ClientOptions): Client
  export function xml(
    name: string,
    attrs?: Readonly<Record<string, string | undefined>>,
    ...children: readonly (Element | string | undefined | readonly Element[])[]
  ): Element
}
