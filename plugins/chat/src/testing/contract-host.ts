import assert from 'node:assert/strict'
import { definePlugin, systemClock, type Clock, type Host, type LogRecord } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import { Chat, middlewares, type Capability, type Content } from '../api.js'
import chat from '../index.js'
import type { AdapterRig } from './rig.js'

export { until }

/** The real clock with a reading that can be advanced: comparisons of readings see more time, timers do not. */
class ForwardClock implements Clock {
  #ahead = 0
  /** How many times as fast timers are. */
  speed = 1
  readonly setInterval = systemClock.setInterval

  setTimeout(callback: () => void, ms: number): () => void {
    return systemClock.setTimeout(callback, ms / this.speed)
  }

  now(): number {
    return systemClock.now() + this.#ahead
  }

  forward(ms: number): void {
    this.#ahead += ms
  }
}

export class ContractHost {
  readonly #rig: AdapterRig
  readonly #clock = new ForwardClock()
  readonly heard: string[] = []
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

  get status(): string {
    const { adapter, id } = this.#rig.endpoint
    return (
      this.chat.endpoints().find((endpoint) => endpoint.adapter === adapter && endpoint.name === id)?.status ??
      'missing'
    )
  }

  /** Starts the host and waits until the endpoint is online. */
  async start(): Promise<void> {
    const recorder = definePlugin({
      name: 'recorder',
      setup: (ctx) => {
        ctx.contribute(middlewares, {
          name: 'recorder',
          handle: async (message) => {
            this.heard.push(message.text)
            const answer = this.answer?.(message.text)
            if (answer !== undefined) await message.$reply(answer)
          },
        })
      },
    })
    const { host, log } = await startHost(
      [...this.#rig.plugins, { plugin: chat as never, config: { endpoints: [this.#rig.endpoint] } }, recorder],
      { clock: this.#clock },
    )
    this.#host = host
    this.log = log
    await this.online()
    await this.#rig.online?.(host)
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

  /** Lets a connection count as one that held, so that the next pause before reconnecting is the first. */
  steady(): void {
    this.#clock.forward(60_000)
  }

  /** Makes the pauses before reconnecting short, for tests that do not measure them. */
  hurry(): void {
    this.#clock.speed = 10
  }

  /** Returns whether the endpoint can do something, as others see it. */
  can(capability: Capability): boolean {
    const { adapter, id } = this.#rig.endpoint
    return this.chat.can(adapter, id, capability)
  }

  send(text: Content): Promise<unknown> {
    const { adapter, id } = this.#rig.endpoint
    return this.chat.send(adapter, id, this.#rig.target, text)
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

/** Starts a rig and its host before each test of a suite, and stops them after it. */
export function aroundEach(start: () => Promise<AdapterRig>): {
  readonly rig: AdapterRig
  readonly host: ContractHost
} {
  let current: { rig: AdapterRig; host: ContractHost } | undefined
  beforeEach(async function () {
    this.timeout(30_000)
    const rig = await start()
    const host = new ContractHost(rig)
    current = { rig, host }
    await host.start()
  })
  afterEach(async function () {
    this.timeout(30_000)
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
