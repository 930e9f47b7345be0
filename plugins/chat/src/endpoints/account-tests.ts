import { closestMatch, KernelError, messageOf, type BaseContext, type Configuration, type Ref } from '@mynah/kernel'
import { randomUUID } from 'node:crypto'
import { omitUndefined, withTimeout } from '@mynah/kernel/util'
import { isRecord, unmaskSecrets, WireError, type Detail } from '@mynah/contract'
import type { TObject } from '@mynah/contract/type'
import type { EndpointTest, JsonObject } from '@mynah/contract/types'
import { mistakesIn } from '@mynah/contract/validate'
import type { Adapter, ProbeResult } from '../api/adapter.js'
import type { Self } from '../api/self.js'
import { adapters } from '../api/points.js'
import { adapterHint, itemSchema } from './item-schema.js'
import { withoutSecrets } from './without-secrets.js'

/** Longest time of an attempt to connect, ms. */
const CONNECT_MS = 20_000
/** Longest time to disconnect after it, ms. */
const LEAVE_MS = 5_000
/** Tests at a time, so that a client cannot make the host open connections without end. */
const AT_ONCE = 2
const MAX_MESSAGE = 500
const MAX_MISSING = 50

/** Tries accounts before they are saved. */
export class AccountTests {
  readonly #ctx: BaseContext<unknown>
  readonly #configuration: Ref<Configuration>
  readonly #commandPrefix: () => string
  #running = 0

  constructor(ctx: BaseContext<unknown>, configuration: Ref<Configuration>, commandPrefix: () => string) {
    this.#ctx = ctx
    this.#configuration = configuration
    this.#commandPrefix = commandPrefix
  }

  /**
   * Connects an account and leaves again, within {@link CONNECT_MS} and {@link LEAVE_MS}. Endpoints that run are not
   * touched.
   *
   * @param given an item of `endpoints`, with `${…}` and masked secrets as the configuration file shows them
   * @throws WireError `not_found` for an unknown adapter, `rate_limited`
   */
  async run(given: JsonObject): Promise<EndpointTest> {
    const began = this.#ctx.clock.now()
    const ended = (result: Omit<EndpointTest, 'ms'>): EndpointTest => ({
      ...result,
      ms: Math.max(0, Math.round(this.#ctx.clock.now() - began)),
    })
    const definition = this.#definition(given['adapter'])
    if (this.#running >= AT_ONCE)
      throw new WireError('rate_limited', `${AT_ONCE} tests are running; try again when one has ended`, {
        retryAfter: CONNECT_MS / 1000,
      })
    this.#running++
    try {
      const account = await this.#filled(given, definition)
      if (typeof account === 'string') return ended({ ok: false, message: account })
      const details = detailsOf(itemSchema(definition), account)
      const [first] = details
      if (first) return ended({ ok: false, message: `${first.path || 'The account'} ${first.message}`, details })
      return ended(await this.#connect(definition, account))
    } finally {
      this.#running--
    }
  }

  #definition(adapter: unknown): Adapter {
    const known = this.#ctx.read(adapters)
    const found = typeof adapter === 'string' ? known.get(adapter)?.value : undefined
    if (found) return found
    const name = typeof adapter === 'string' ? adapter.slice(0, 64) : ''
    const meant = closestMatch(
      name,
      known.all().map(({ key }) => key),
    )
    const remedy = meant ? `did you mean "${meant}"?` : adapterHint(name)
    throw new WireError(
      'not_found',
      name ? `No enabled plugin provides the adapter "${name}"; ${remedy}` : 'adapter is required',
    )
  }

  /** Returns the account as an endpoint would get it, or what is wrong with a variable in it. */
  async #filled(given: JsonObject, definition: Adapter): Promise<Record<string, unknown> | string> {
    const configuration = this.#configuration.current
    const accounts = configuration?.source()['endpoints']
    const stored = Array.isArray(accounts)
      ? accounts.find(
          (other) => isRecord(other) && other['id'] === given['id'] && other['adapter'] === given['adapter'],
        )
      : undefined
    const account = structuredClone(unmaskSecrets(given, stored)) as Record<string, unknown>
    if (!configuration) return account
    try {
      return await configuration.fill(account, itemSchema(definition))
    } catch (error) {
      if (error instanceof KernelError) return error.message
      throw error
    }
  }

  async #connect(definition: Adapter, account: Record<string, unknown>): Promise<Omit<EndpointTest, 'ms'>> {
    const said = (text: string): string => withoutSecrets(text, itemSchema(definition), account).slice(0, MAX_MESSAGE)
    try {
      const self: ProbeResult | void = await (definition.probe
        ? this.#probe(definition, account)
        : this.#visit(definition, account))
      const name = self?.name ?? self?.id
      const missing = self?.missing?.slice(0, MAX_MISSING).map(said)
      return omitUndefined({
        ok: true,
        message: said(
          `${name === undefined ? 'It connects' : `It connects as ${name}`}${this.#prefixNote(definition)}`,
        ),
        selfId: self?.id,
        selfName: self?.name,
        missing: missing?.length ? missing : undefined,
      })
    } catch (error) {
      return { ok: false, message: said(messageOf(error)) }
    }
  }

  /** Returns a sentence where the commands of this host do not reach a bot of the platform. */
  #prefixNote({ platform, name, reservedPrefix }: Adapter): string {
    if (reservedPrefix === undefined || !this.#commandPrefix().startsWith(reservedPrefix)) return ''
    return (
      `. Programs for ${platform ?? name} keep messages that begin with ${reservedPrefix}: ` +
      'set commands.prefix to another character, such as !'
    )
  }

  #withinTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, signal: parent } = this.#ctx
    return withTimeout(clock, CONNECT_MS, work, { parent, message: `It did not answer within ${CONNECT_MS / 1000} s` })
  }

  #probe(definition: Adapter, config: Record<string, unknown>): Promise<ProbeResult | void> {
    const { clock, log } = this.#ctx
    return this.#withinTime(async (signal) => definition.probe?.({ config, clock, log, signal }))
  }

  /** Connects a bot of its own, under an id that no endpoint has. Refuses the messages that it receives. */
  async #visit(definition: Adapter, config: Record<string, unknown>): Promise<Self | void> {
    const { clock, log } = this.#ctx
    const refuse = (): Promise<never> => Promise.reject(new WireError('not_ready', 'This is a test of the account'))
    const stop = new AbortController()
    let fail = (_reason: unknown): void => {}
    const lost = new Promise<never>((_, reject) => {
      fail = reject
    })
    const bot = definition.create({
      id: `test-${randomUUID()}`,
      adapter: definition.name,
      config,
      log,
      clock,
      signal: stop.signal,
      receive: refuse,
      request: refuse,
      notice: refuse,
      changed: refuse,
      reaction: refuse,
      cursor: { get: () => Promise.resolve(undefined), set: refuse },
      during: (work) => void work.catch(fail),
      lost: fail,
      self: () => {},
    })
    try {
      return await this.#withinTime(() => Promise.race([bot.connect(), lost]))
    } finally {
      stop.abort()
      await withTimeout(clock, LEAVE_MS, () => bot.disconnect()).catch((error: unknown) =>
        log.debug(`failed to disconnect after a test: ${messageOf(error)}`),
      )
    }
  }
}

/** Returns the mistakes of an account, each unknown key with the nearest known one. */
function detailsOf(schema: TObject, account: Record<string, unknown>): Detail[] {
  const known = Object.keys(schema.properties)
  return mistakesIn(schema, account).map(({ path, message }) => {
    const meant = Object.hasOwn(account, path) && !known.includes(path) ? closestMatch(path, known) : undefined
    return { path, message: meant ? `${message}; did you mean "${meant}"?` : message }
  })
}
