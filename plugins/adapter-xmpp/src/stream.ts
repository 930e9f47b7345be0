import { StringDecoder } from 'node:string_decoder'
import { messageOf, systemClock, type Clock, type Logger } from '@mynah/kernel'
import { pause, withTimeout } from '@mynah/kernel/util'
import { SendError } from '@mynah/plugin-chat/api'
import { client, xml, type Client, type Element } from '@xmpp/client'
import type { XmppConfig } from './config.js'
import { Acknowledgements } from './acknowledgements.js'
import { isSignedBy, scram, ScramError } from './scram.js'
import { conditionOf } from './stanzas.js'

const CONNECT_MS = 25_000
const CLOSE_MS = 2_000
const ANSWER_MS = 30_000
/** The unit of limits of silence. A clock that jumps must not end a connection. */
const TICK_MS = 5_000
/** Silence after which the server is asked for a sign of life, and after which the connection is lost. */
const ASK_TICKS = 9
const SILENT_TICKS = 16
/** Largest stanza, in bytes. */
const MAX_STANZA = 4 * 1024 * 1024
const SASL = 'urn:ietf:params:xml:ns:xmpp-sasl'
const SM = 'urn:xmpp:sm:3'

/** The server refuses the login. */
export class LoginError extends Error {
  override readonly name = 'LoginError'
}

interface Pending {
  /** Whether the reflection of a room settles it, and not the acknowledgement of the server. */
  readonly isReflected: boolean
  readonly resolve: (id: string | undefined) => void
  readonly reject: (error: Error) => void
}

export interface StreamOptions {
  readonly config: XmppConfig
  readonly resource: string
  readonly clock: Clock
  readonly log: Logger
  /** Called with each message and presence. Does not throw. */
  readonly stanza: (stanza: Element) => void
  readonly lost: (reason: Error) => void
}

/** Returns the condition of an error stanza, and its text. */
export function errorIn(stanza: Element): string {
  const error = stanza.getChild('error')
  const condition = error?.children.find(
    (child): child is Element => typeof child !== 'string' && child.name !== 'text',
  )
  return [condition?.name ?? 'error', error?.getChildText('text') ?? ''].filter(Boolean).join(': ').slice(0, 300)
}

/** One connection to a server. The library neither reconnects nor follows the server to another one. */
export class XmppStream {
  readonly #options: StreamOptions
  readonly #client: Client
  readonly #pending = new Map<string, Pending>()
  #signature: Buffer | undefined
  #problem: Error | undefined
  #isClosing = false
  #offersAcknowledgements = false
  readonly #acknowledgements: Acknowledgements
  /** Ticks since the last bytes. */
  #ticks = 0
  #stopChecking = (): void => {}

  constructor(options: StreamOptions) {
    const { config, resource } = options
    const [username = '', domain = ''] = config.jid.split('@')
    this.#options = options
    const entity = client({
      service: config.service ?? domain,
      domain,
      resource,
      timeout: ANSWER_MS,
      credentials: async (authenticate, mechanisms) => {
        if (!entity.isSecure() && config.insecure !== true)
          throw new LoginError('The server offers no encryption: set `insecure` only for a server on this machine')
        const mechanism = mechanisms.find((name) => name !== 'PLAIN' || entity.isSecure())
        if (mechanism === undefined) throw new LoginError(`The server offers no login that this adapter has`)
        await authenticate({ username, password: config.password }, mechanism)
      },
    })
    entity.reconnect.stop()
    this.#client = entity
    this.#acknowledgements = new Acknowledgements({
      send: (element) => void entity.send(element).catch(() => undefined),
      taken: (id) => this.#settle(id, false, undefined),
    })
    this.#guard(entity)
    this.#listen(entity)
  }

  /** Replaces what the library does with bytes, logins and other hosts. */
  #guard(entity: Client): void {
    const plain = entity.saslFactory._mechs.find((entry) => (entry as { name?: unknown }).name === 'PLAIN')
    entity.saslFactory._mechs.length = 0
    const expected = (signature: Buffer): void => {
      this.#signature = signature
    }
    entity.saslFactory.use('SCRAM-SHA-256', scram('sha256', expected))
    entity.saslFactory.use('SCRAM-SHA-1', scram('sha1', expected))
    if (plain) entity.saslFactory._mechs.push(plain)
    // A character may come in two pieces. A stanza without end must not fill the memory.
    const decoder = new StringDecoder('utf8')
    let size = 0
    entity._onData = (data) => {
      size += data.length
      this.#ticks = 0
      if (size > MAX_STANZA) return this.#break(new Error(`The server sends more than ${MAX_STANZA} bytes at once`))
      entity.parser?.write(decoder.write(data))
    }
    entity._onSeeOtherHost = () =>
      this.#break(new Error('The server sends the bot to another host: set `service` to it'))
    // The library counts stanzas wrongly that come right after `enabled`, for which servers end the connection, and
    // loses messages when it resumes a session.
    const { _onElement: pass } = entity
    entity._onElement = (element) => {
      if (element.name === 'stream:features') {
        this.#offersAcknowledgements ||= element.getChild('sm', SM) !== undefined
        element.children = element.children.filter(
          (child) => typeof child === 'string' || (!child.is('sm', SM) && !child.is('authentication')),
        )
      }
      size = 0
      if (!this.#acknowledgements.takes(element)) pass.call(entity, element)
    }
  }

  #listen(entity: Client): void {
    entity.on('error', (error: Error) => {
      this.#problem ??= error
    })
    entity.on('nonza', (element: Element) => {
      const isForged = element.is('success', SASL) && this.#signature && !isSignedBy(element.text(), this.#signature)
      if (isForged)
        this.#break(new ScramError('The server does not know the password: it is not the one it claims to be'))
    })
    entity.on('stanza', (stanza: Element) => this.#stanza(stanza))
    entity.on('send', (element: Element) => this.#acknowledgements.sent(element))
    entity.on('disconnect', () => this.#ended())
  }

  #break(error: Error): void {
    this.#problem ??= error
    this.#client.socket?.destroy()
  }

  #ended(): void {
    this.#stopChecking()
    const reason = this.#problem ?? new Error('The server closed the connection or is silent')
    for (const { reject } of this.#pending.values())
      reject(new Error('The connection was lost; the message may have arrived'))
    this.#pending.clear()
    if (!this.#isClosing) this.#options.lost(reason)
  }

  /** Asks a silent server for a sign of life, and gives it up. */
  #check(): void {
    this.#ticks++
    if (this.#ticks > SILENT_TICKS)
      return this.#break(new Error(`The server has said nothing for ${(SILENT_TICKS * TICK_MS) / 1_000} s`))
    if (this.#ticks > ASK_TICKS) this.ask(ping()).catch(() => undefined)
  }

  #settle(id: string | undefined, isReflection: boolean, messageId: string | undefined): void {
    const pending = id === undefined ? undefined : this.#pending.get(id)
    if (id === undefined || !pending || pending.isReflected !== isReflection) return
    this.#pending.delete(id)
    pending.resolve(messageId)
  }

  #stanza(stanza: Element): void {
    const { id, type } = stanza.attrs
    const pending = type === 'error' && id !== undefined ? this.#pending.get(id) : undefined
    if (pending && id !== undefined) {
      this.#pending.delete(id)
      return pending.reject(new SendError('refused', `The server refuses the message (${errorIn(stanza)})`))
    }
    if (stanza.name === 'message' || stanza.name === 'presence') this.#options.stanza(stanza)
  }

  /** Logs in. Throws with a reason for the owner. */
  async open(signal: AbortSignal): Promise<void> {
    try {
      const start = async (limited: AbortSignal): Promise<void> => {
        limited.addEventListener('abort', () => this.#client.socket?.destroy(), { once: true })
        await this.#client.start()
        if (this.#offersAcknowledgements) await this.#acknowledgements.enable()
      }
      await withTimeout(systemClock, CONNECT_MS, start, { parent: signal, message: 'The server does not answer' })
      this.#stopChecking = this.#options.clock.setInterval(() => this.#check(), TICK_MS)
    } catch (error) {
      this.#isClosing = true
      this.#client.socket?.destroy()
      throw this.#problem instanceof LoginError || this.#problem instanceof ScramError ? this.#problem : reasonOf(error)
    }
  }

  /** Takes the reflection of a message by its room. */
  reflected(id: string, messageId: string | undefined): void {
    this.#settle(id, true, messageId)
  }

  async send(stanza: Element): Promise<void> {
    try {
      await this.#client.send(stanza)
    } catch (error) {
      // The library throws a TypeError without a socket.
      throw new SendError('offline', `There is no connection to the server: ${messageOf(error)}`)
    }
  }

  /**
   * Sends a message and waits until the server has taken it: by its acknowledgement, or by the reflection of a room,
   * whose id of the message is returned.
   */
  async deliver(stanza: Element, isReflected: boolean): Promise<string | undefined> {
    const { id = '' } = stanza.attrs
    const taken = new Promise<string | undefined>((resolve, reject) => {
      this.#pending.set(id, { isReflected, resolve, reject })
    })
    taken.catch(() => undefined)
    try {
      await this.send(stanza)
    } catch (error) {
      this.#pending.delete(id)
      throw error
    }
    if (!isReflected) this.#confirm(id)
    const message = 'The server has not acknowledged the message; it may have arrived'
    return withTimeout(systemClock, ANSWER_MS, () => taken, { message }).finally(() => this.#pending.delete(id))
  }

  /** Asks the server whether it has a message. Without acknowledgements, its answer to a question after it says so. */
  #confirm(id: string): void {
    if (this.#acknowledgements.isEnabled) return this.#acknowledgements.request()
    this.ask(ping()).then(
      () => this.#settle(id, false, undefined),
      (error: unknown) => {
        // A refusal is an answer, too.
        if (conditionOf(error) !== undefined) this.#settle(id, false, undefined)
      },
    )
  }

  /** Asks the server or a room. Rejects with an error whose `condition` the server names. */
  ask(iq: Element, timeoutMs = ANSWER_MS): Promise<Element> {
    return this.#client.iqCaller.request(iq, timeoutMs)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#stopChecking()
    const stop = new AbortController()
    const gone = pause(CLOSE_MS, systemClock, stop.signal)
    await Promise.race([this.#client.stop().catch(() => undefined), gone])
    stop.abort()
    this.#client.socket?.destroy()
    this.#client.removeAllListeners()
    this.#client.on('error', () => {})
  }
}

const ping = (): Element => xml('iq', { type: 'get' }, xml('ping', { xmlns: 'urn:xmpp:ping' }))

/** Returns why a login failed. */
function reasonOf(error: unknown): Error {
  const { name, condition, code } = (error ?? {}) as { name?: unknown; condition?: unknown; code?: unknown }
  if (name === 'SASLError')
    return new LoginError(`The server refuses the login (${String(condition)}): check \`jid\` and \`password\``)
  if (error instanceof LoginError || error instanceof ScramError) return error
  if (typeof code === 'string') return new Error(`The server cannot be reached (${code}): check \`service\``)
  return new Error(messageOf(error).slice(0, 300))
}
