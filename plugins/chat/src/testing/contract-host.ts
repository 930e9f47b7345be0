import assert from 'node:assert/strict'
import { definePlugin, type Host, type LogRecord, type Reader } from '@mynah/kernel'
import { startHost, until as waitUntil } from '@mynah/kernel/testing'
import type { Channel } from '@mynah/contract/types'
import { publish, type Publication } from '@mynah/plugin-events/api'
import {
  adapters,
  Chat,
  middlewares,
  noticeReceive,
  reactionReceive,
  type Adapter,
  type Capability,
  type Content,
  type InboundNotice,
  type InboundReaction,
  type Message,
  type Receipt,
} from '../api.js'
import chat from '../index.js'
import { failingStore } from './failing-store.js'
import { ContractClock } from './contract-clock.js'
import type { AdapterRig, RigAccount, RigEndpoint } from './rig.js'

/** How long tests of the contract wait, in milliseconds. */
export const patience = { ms: 45_000 }

const PAUSE_STEP_MS = 100

/** Waits until a condition holds, see `until` of the kernel. */
export function until(condition: () => unknown, what: string | (() => string), timeoutMs = patience.ms): Promise<void> {
  return waitUntil(condition, what, timeoutMs)
}

/** A host with chat, the adapter under contract, and a plugin that notes what comes in. */
export class ContractHost {
  readonly #rig: AdapterRig
  readonly clock = new ContractClock()
  /** Texts of the messages that came in through the account of the rig, oldest first. */
  readonly heard: string[] = []
  /** The messages themselves. */
  readonly messages: Message[] = []
  readonly notices: InboundNotice[] = []
  readonly events: Publication[] = []
  readonly reactions: InboundReaction[] = []
  #known: Reader<Adapter> | undefined
  /** Lets the message store refuse what comes in while it returns false. Used by the next start. */
  keeps: (() => boolean) | undefined
  /** A second account that the next start connects as well. */
  second: RigAccount | undefined
  /** Texts of the messages that came in through the second account. */
  readonly heardBySecond: string[] = []
  /** The answer to what came in, where there is one. */
  answer: ((text: string) => string) | undefined
  log: LogRecord[] = []
  #host: Host | undefined

  constructor(rig: AdapterRig) {
    this.#rig = rig
  }

  get chat(): Chat {
    const service = this.#host?.get(Chat)
    assert.ok(service, 'the host runs with chat')
    return service
  }

  /** The adapter, as it is contributed. */
  get adapter(): Adapter {
    const found = this.#known?.all().find(({ value }) => value.name === this.#rig.endpoint.adapter)
    assert.ok(found, `an adapter named "${this.#rig.endpoint.adapter}" is contributed`)
    return found.value
  }

  get status(): string {
    return this.statusOf(this.#rig.endpoint.id)
  }

  statusOf(id: string): string {
    const { adapter } = this.#rig.endpoint
    return (
      this.chat.endpoints().find((endpoint) => endpoint.adapter === adapter && endpoint.name === id)?.status ??
      'missing'
    )
  }

  /** Returns the name of the account on the platform, where it has one. */
  async selfName(): Promise<string | undefined> {
    const { adapter, id } = this.#rig.endpoint
    return (await this.chat.info(adapter, id)).selfName
  }

  /** Starts the host and waits until the endpoint is online. */
  async start(): Promise<void> {
    await this.startWith([this.#rig.endpoint, ...(this.second ? [this.second.endpoint] : [])])
    await this.online()
    await until(
      () => !this.second || this.statusOf(this.second.endpoint.id) === 'online',
      'the second account to be online',
    )
    await this.#rig.online?.(this.#host as Host)
  }

  /** Connects while another host has the same account, and is online at the latest when that one has ended. */
  async startAfter(other: ContractHost): Promise<void> {
    await this.startWith([this.#rig.endpoint], this.#rig.plugins.map(withOwnFile))
    await until(
      () => this.status === 'online' || this.status === 'offline',
      () => `until the endpoint has tried to connect; it is ${this.status}`,
    )
    const name = await other.selfName()
    await other.stop()
    await this.online()
    // An account whose name was taken meanwhile asks for it again.
    await this.clock.pass(60_000)
    await until(async () => (await this.selfName()) === name, `for the name "${name}"`)
    await this.#rig.online?.(this.#host as Host)
  }

  /** Starts the host with these endpoints, and waits for none. */
  async startWith(endpoints: readonly RigEndpoint[], plugins = this.#rig.plugins): Promise<void> {
    const recorder = definePlugin({
      name: 'recorder',
      setup: (ctx) => {
        this.#known = ctx.read(adapters)
        ctx.on(noticeReceive, (notice) => void this.notices.push(notice))
        ctx.on(reactionReceive, (reaction) => void this.reactions.push(reaction))
        ctx.on(publish, (event) => void this.events.push(event))
        ctx.contribute(middlewares, {
          name: 'recorder',
          handle: async (message) => {
            if (message.endpoint !== this.#rig.endpoint.id) return void this.heardBySecond.push(message.text)
            this.messages.push(message)
            this.heard.push(message.text)
            const answer = this.answer?.(message.text)
            if (answer !== undefined) await message.$reply(answer)
          },
        })
      },
    })
    const { host, log } = await startHost(
      [
        ...(this.keeps ? [failingStore(this.keeps)] : []),
        ...plugins,
        { plugin: chat as never, config: { endpoints } },
        recorder,
      ],
      { clock: this.clock },
    )
    this.#host = host
    this.log = log
  }

  async online(): Promise<void> {
    await until(
      () => this.status === 'online',
      () => `until the endpoint is online; it is ${this.status}; ${this.#lastWords()}`,
    )
  }

  async offline(): Promise<void> {
    await until(
      () => this.status !== 'online',
      () => 'until the endpoint notices that its server is gone',
    )
  }

  /**
   * Lets the pauses between attempts to connect pass, and stops the clock. The attempts themselves do not count, since
   * they take real time.
   */
  async pauses(ms: number): Promise<void> {
    for (let left = ms; left > 0 && this.status !== 'online'; left -= PAUSE_STEP_MS) {
      this.clock.stop()
      await this.clock.pass(PAUSE_STEP_MS)
      if (this.status !== 'pending') continue
      this.clock.resume()
      await until(() => this.status !== 'pending', 'until an attempt to connect has ended')
    }
    this.clock.stop()
  }

  /** Drops what was recorded, so that tests of memory measure only what the host keeps. */
  forget(): void {
    for (const recorded of [this.heard, this.messages, this.notices, this.reactions, this.events, this.log])
      recorded.length = 0
  }

  /** Lets a connection count as one that held, so that the next pause before reconnecting is the first. */
  steady(): void {
    this.clock.forward(60_000)
  }

  /** Makes the pauses before reconnecting short, for tests that do not measure them. */
  hurry(): void {
    this.clock.speed = 10
  }

  /** Returns whether the endpoint can do something, as others see it. */
  can(capability: Capability): boolean {
    const { adapter, id } = this.#rig.endpoint
    return this.chat.can(adapter, id, capability)
  }

  send(content: Content, target: Channel = this.#rig.target): Promise<Receipt> {
    const { adapter, id } = this.#rig.endpoint
    return this.chat.send(adapter, id, target, content)
  }

  /** Adds or removes a reaction of the bot. */
  react(messageId: string, emoji: string, isOn: boolean): Promise<void> {
    const { adapter, id } = this.#rig.endpoint
    return this.chat.react(adapter, id, this.#rig.target, messageId, emoji, isOn)
  }

  /** Sends through the second account. */
  sendBySecond(content: Content): Promise<Receipt> {
    const { endpoint, target } = this.second as RigAccount
    return this.chat.send(endpoint.adapter, endpoint.id, target, content)
  }

  /** Waits until a notice of a kind came in. */
  async notified(kind: string): Promise<InboundNotice> {
    const find = (): InboundNotice | undefined => this.notices.find((notice) => notice.kind === kind)
    await until(find, () => `for a notice "${kind}"; there are ${JSON.stringify(this.notices.map((n) => n.kind))}`)
    return find() as InboundNotice
  }

  /** Returns the reason why an endpoint is offline. */
  async reason(id: string): Promise<string> {
    return (await this.chat.info(this.#rig.endpoint.adapter, id)).lastError ?? ''
  }

  /** Waits until exactly these lines, and no others, were heard in this order. */
  async hears(lines: readonly string[]): Promise<void> {
    await until(
      () => this.heard.length >= lines.length,
      () => `for ${lines.length} lines; heard ${JSON.stringify(this.heard)}; ${this.#lastWords()}`,
    )
    assert.deepEqual(this.heard, lines)
  }

  /** Waits until exactly these texts, and no others, reached the user in this order. */
  async reaches(texts: readonly string[]): Promise<void> {
    await until(
      () => this.#rig.sent().length >= texts.length,
      () => `for ${texts.length} messages; the user has ${JSON.stringify(this.#rig.sent())}; ${this.#lastWords()}`,
    )
    assert.deepEqual(this.#rig.sent(), texts)
  }

  #lastWords(): string {
    return `the log ends with ${JSON.stringify(this.log.slice(-3).map(({ message }) => message))}`
  }

  async stop(): Promise<void> {
    await this.#host?.stop()
    this.#host = undefined
  }
}

/** Gives a database of SQLite a file of its own, since a file belongs to one process. */
function withOwnFile(entry: AdapterRig['plugins'][number]): AdapterRig['plugins'][number] {
  if (!('plugin' in entry) || typeof entry.config !== 'object' || entry.config === null) return entry
  const { file } = entry.config as { readonly file?: unknown }
  return typeof file === 'string' ? { ...entry, config: { ...entry.config, file: `${file}.next` } } : entry
}

/** Starts a rig and its host before each test of a suite, and stops them after it. */
export function aroundEach(start: () => Promise<AdapterRig>): {
  readonly rig: AdapterRig
  readonly host: ContractHost
} {
  let current: { rig: AdapterRig; host: ContractHost } | undefined
  beforeEach(async function () {
    this.timeout(2 * patience.ms)
    const rig = await start()
    const host = new ContractHost(rig)
    current = { rig, host }
    await host.start()
  })
  afterEach(async function () {
    this.timeout(2 * patience.ms)
    const ending = current
    current = undefined
    await ending?.host.stop()
    await ending?.rig.stop()
  })
  const now = (): { rig: AdapterRig; host: ContractHost } => {
    assert.ok(current, 'a test is running')
    return current
  }
  return {
    get rig() {
      return now().rig
    },
    get host() {
      return now().host
    },
  }
}

/** Returns a method of the rig. Fails with an example where the adapter declares what needs it. */
export function required<K extends keyof AdapterRig>(
  rig: AdapterRig,
  method: K,
  reason: string,
  example: string,
): NonNullable<AdapterRig[K]> {
  const value = rig[method]
  assert.ok(value, `${reason}, so the rig needs "${method}", such as: ${example}`)
  return (typeof value === 'function' ? value.bind(rig) : value) as NonNullable<AdapterRig[K]>
}
