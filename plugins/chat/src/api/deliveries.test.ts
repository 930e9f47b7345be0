import { expect } from 'chai'
import { isWireError, WireError } from '@mynah/contract'
import { createHost, type Cluster, type Ref } from '@mynah/kernel'
import { Deliveries, type Delivery } from './deliveries.js'
import type { Chat } from './points.js'

const PLACE = 'endpoint|test|bot'
const log = createHost([], { log() {} }).log

/** Hosts that call each other in this process. */
class Hosts {
  owner: string | undefined
  /** Whether the place is in the database. */
  isKnown = true
  readonly #handlers = new Map<string, (params: unknown) => Promise<unknown>>()
  failure: WireError | undefined

  cluster(name: string): Cluster {
    const members: Partial<Cluster> = {
      isElsewhere: (place) => place === PLACE && this.owner !== undefined && this.owner !== name,
      owns: (place) => place === PLACE && this.owner === name,
      places: () => new Map(this.isKnown ? [[PLACE, this.owner]] : []),
      answer: (method, handler) => {
        this.#handlers.set(`${name} ${method}`, handler)
        return () => this.#handlers.delete(`${name} ${method}`)
      },
      call: async (_place, method, params) => {
        const handler = this.#handlers.get(`${this.owner} ${method}`)
        if (this.failure ?? !handler) throw this.failure ?? new WireError('not_ready', 'No host has it')
        return JSON.parse(JSON.stringify(await handler?.(JSON.parse(JSON.stringify(params))))) as unknown
      },
    }
    return members as Cluster
  }

  /** Calls what a host answers, as another version might. */
  ask(name: string, params: unknown): Promise<unknown> | undefined {
    return this.#handlers.get(`${name} adapter-test:deliver`)?.(params)
  }
}

/** A host with the adapter `test`. */
class TestHost {
  readonly accepted: (readonly [string | undefined, Delivery])[] = []
  readonly deliveries: Deliveries<string, { readonly by: string }>

  /** @param configured ids of endpoints in its configuration */
  constructor(name: string, hosts?: Hosts, configured: readonly string[] = []) {
    const chat: Pick<Chat, 'endpoints' | 'isExpected'> = {
      endpoints: () =>
        configured.map(
          (id) => ({ name: id, adapter: 'test', status: 'offline' }) as ReturnType<Chat['endpoints']>[number],
        ),
      isExpected: () => false,
    }
    const ref = <T>(current: T | undefined): Ref<T> => ({ current, declared: false, onChange: () => () => {} })
    this.deliveries = new Deliveries<string, { readonly by: string }>(
      { chat: ref(chat as Chat), cluster: ref(hosts?.cluster(name)), log, onDispose() {} },
      {
        adapter: 'test',
        headers: ['x-signature'],
        accept: (bot, delivery) => {
          this.accepted.push([bot, delivery])
          return bot === undefined
            ? Promise.reject(new WireError('unauthorized', 'There is no such account'))
            : Promise.resolve({ by: name })
        },
      },
    )
  }

  send(id = 'bot', body = Buffer.from([0, 255, 10])): Promise<{ readonly by: string }> {
    return this.deliveries.accept(id, { 'x-signature': 'right', cookie: 'x' }, body, log)
  }
}

const failureOf = (work: Promise<unknown>): Promise<WireError> =>
  work.then(
    () => Promise.reject(new Error('this should have failed')),
    (error: unknown) => (isWireError(error) ? error : Promise.reject(error)),
  )

describe('deliveries of a platform', () => {
  const aborted = new AbortController()

  it('are accepted here without other hosts, and for unknown endpoints as by another secret', async () => {
    const host = new TestHost('one')
    host.deliveries.keep({ id: 'bot', signal: aborted.signal }, 'the bot')
    expect(await host.send()).to.deep.equal({ by: 'one' })
    expect((await failureOf(host.send('nobody'))).code).to.equal('unauthorized')
    expect(host.accepted.map(([bot]) => bot)).to.deep.equal(['the bot', undefined])
  })

  it('are accepted by the host that runs the endpoint, with their exact bytes and the declared headers', async () => {
    const hosts = new Hosts()
    const [one, two] = [new TestHost('one', hosts), new TestHost('two', hosts)]
    hosts.owner = 'two'
    two.deliveries.keep({ id: 'bot', signal: aborted.signal }, 'the bot')
    expect(await one.send()).to.deep.equal({ by: 'two' })
    expect(one.accepted).to.deep.equal([])
    expect(two.accepted).to.deep.equal([
      ['the bot', { headers: { 'x-signature': 'right' }, body: Buffer.from([0, 255, 10]) }],
    ])
    expect((await failureOf(one.send('nobody'))).code, 'an unknown endpoint is refused here').to.equal('unauthorized')
  })

  it('have to be repeated where no host runs the endpoint, or its host does not answer', async () => {
    const hosts = new Hosts()
    const one = new TestHost('one', hosts)
    const refused = async (): Promise<void> => {
      const { code, retryAfter } = await failureOf(one.send())
      expect([code, retryAfter]).to.deep.equal(['not_ready', 5])
    }
    await refused()
    hosts.owner = 'two'
    hosts.failure = new WireError('upstream_unavailable:unknown', 'It did not answer in time')
    await refused()
    expect(() => one.deliveries.connected('bot')).to.throw(WireError, 'not here now')
    expect(one.deliveries.connected('nobody')).to.equal(undefined)
    expect(one.accepted).to.deep.equal([])
  })

  it('have to be repeated where a host that has just started knows no places yet', async () => {
    const cluster = new Hosts()
    cluster.isKnown = false
    const one = new TestHost('one', cluster, ['bot'])
    expect((await failureOf(one.send())).code).to.equal('not_ready')
    expect((await failureOf(one.send('nobody'))).code).to.equal('unauthorized')
  })

  it('have to be repeated where too much is passed on at the moment', async () => {
    const hosts = new Hosts()
    const [one, two] = [new TestHost('one', hosts), new TestHost('two', hosts)]
    hosts.owner = 'two'
    two.deliveries.keep({ id: 'bot', signal: aborted.signal }, 'the bot')
    const large = Buffer.alloc(1024 * 1024)
    const sent = [1, 2, 3, 4].map(() => one.send('bot', large))
    const { code, retryAfter } = await failureOf(one.send('bot', large))
    expect([code, retryAfter]).to.deep.equal(['not_ready', 5])
    await Promise.all(sent)
    expect(await one.send('bot', large)).to.deep.equal({ by: 'two' })
  })

  it('of another version have to be repeated', async () => {
    const hosts = new Hosts()
    const one = new TestHost('one', hosts)
    for (const params of [undefined, [], { id: 'bot' }, { id: 'bot', body: '' }, { id: 1, body: '', headers: {} }])
      expect((await failureOf(hosts.ask('one', params) as Promise<unknown>)).code).to.equal('not_ready')
    expect(one.accepted).to.deep.equal([])
  })
})
