import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import { HOUSE, systemClock } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { needPostgres, postgres } from '@mynah/plugin-database/testing'
import { connect } from '../database/connect.js'
import { Member } from './member.js'
import type { Durations } from './state.js'

/** Short, and long enough for a busy machine that beats a few times in it. */
const DURATIONS: Durations = { lease: 6_000, margin: 1_500, beat: 300, look: 100, give: 200 }

/** A host of the test, and what it runs. */
class Joined {
  readonly running = new Set<string>()
  restarts = 0
  exits = 0
  #member: Member | undefined

  static async join(name: string, url: string): Promise<Joined> {
    const host = new Joined()
    host.#member = await Member.join({
      url,
      id: `id-${name}`,
      name,
      version: '1',
      durations: DURATIONS,
      clock: systemClock,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      exit: () => void host.exits++,
      restart: () => Promise.resolve(void host.restarts++),
      onHouseMoved() {},
    })
    return host
  }

  get member(): Member {
    if (!this.#member) throw new Error('it has not joined')
    return this.#member
  }

  /** Runs places, and stops them after `stopped`. */
  run(places: readonly string[], hosts?: readonly string[], stopped = Promise.resolve()): () => void {
    const removes = places.map((place) =>
      this.member.run(
        place,
        {
          start: () => void this.running.add(place),
          stop: async () => {
            await stopped
            this.running.delete(place)
          },
        },
        hosts,
      ),
    )
    return () => removes.forEach((remove) => remove())
  }

  get places(): string {
    return [...this.running].sort().join(' ')
  }
}

describe('Member', function () {
  this.timeout(60_000)
  let url: string
  const hosts: Joined[] = []

  before(async function () {
    await needPostgres(this)
  })
  beforeEach(async () => {
    url = await (await postgres()).create()
  })
  afterEach(async () => {
    for (const { member } of hosts.splice(0)) await member.close()
    await (await postgres()).drop(url)
  })
  const join = async (name: string): Promise<Joined> => {
    const host = await Joined.join(name, url)
    hosts.push(host)
    return host
  }

  it('shares the places with a host that joins later, and takes them back when that leaves', async () => {
    const one = await join('one')
    one.run(['p', 'q', 'r', 's'])
    await until(() => one.places === 'p q r s')
    expect(one.member.owns(HOUSE)).to.equal(true)
    const two = await join('two')
    two.run(['p', 'q', 'r', 's'])
    await until(() => one.running.size === 2 && two.running.size === 2)
    expect([...one.running, ...two.running].sort()).to.deep.equal(['p', 'q', 'r', 's'])
    hosts.pop()
    await two.member.close()
    await until(() => one.places === 'p q r s')
    expect(two.places).to.equal('')
    expect([one.restarts, one.exits, two.restarts, two.exits]).to.deep.equal([0, 0, 0, 0])
  })

  it('gives a place away only when its work has ended', async () => {
    let end = (): void => {}
    const stopped = new Promise<void>((resolve) => (end = resolve))
    const one = await join('one')
    one.run(['p'], [], stopped)
    await until(() => one.places === 'p')
    const two = await join('two')
    two.run(['p'])
    expect(await one.member.move('p', 'id-two')).to.equal(true)
    await until(() => !one.member.owns('p'))
    const seen = await two.member.hosts()
    expect(seen.find(({ name }) => name === 'one')?.places).to.deep.equal([HOUSE, 'p'])
    expect([one.places, two.places]).to.deep.equal(['p', ''])
    end()
    await until(() => two.places === 'p')
    expect(one.places).to.equal('')
    expect(await one.member.move('no such place', null)).to.equal(false)
  })

  it('takes a place that it begins to offer, and gives up what it does not offer any more', async () => {
    const one = await join('one')
    const remove = one.run(['p'])
    await until(() => one.places === 'p')
    remove()
    const two = await join('two')
    two.run(['p'])
    await until(() => two.places === 'p')
    expect((await two.member.hosts()).map(({ places }) => places)).to.deep.equal([[HOUSE], ['p']])
  })

  it('starts its host again when it gives away what belongs to no endpoint', async () => {
    const one = await join('one')
    await until(() => one.member.owns(HOUSE))
    const two = await join('two')
    expect(await two.member.drain('id-one', true)).to.equal(true)
    await until(() => one.restarts > 0)
    hosts.shift()
    await one.member.close()
    await until(() => two.member.owns(HOUSE))
    expect(await two.member.drain('id-one', true), 'it is gone').to.equal(false)
  })

  it('leaves a place to the host that its list names', async () => {
    const one = await join('one')
    const two = await join('two')
    two.run(['p'], ['two'])
    one.run(['p'], ['two'])
    await until(() => two.places === 'p')
    expect(one.places).to.equal('')
  })

  describe('says of each place', () => {
    const placeOf = async ({ member }: Joined, place: string) =>
      (await member.storedPlaces()).find(({ id }) => id === place)

    it('who has it since when, and where it was moved', async () => {
      const one = await join('one')
      one.run(['p'])
      await until(() => one.places === 'p')
      const before = await placeOf(one, 'p')
      expect(before?.since).to.be.a('number').above(0)
      expect(before).to.deep.include({ owner: { id: 'id-one', name: 'one' }, wanted: null, falls: 0, restsUntil: null })
      const two = await join('two')
      await one.member.move('p', 'id-two')
      expect((await placeOf(two, 'p'))?.wanted, 'it is not there yet').to.equal('id-two')
      two.run(['p'])
      await until(() => two.places === 'p')
      const after = await placeOf(one, 'p')
      expect(after).to.deep.include({ owner: { id: 'id-two', name: 'two' }, wanted: 'id-two' })
      expect(after?.since).to.be.above(before?.since ?? Infinity)
      expect((await two.member.storedPlaces()).map(({ id }) => id)).to.deep.equal([HOUSE, 'p'])
    })

    it('until when it rests, and that it fell only while that counts', async () => {
      const one = await join('one')
      const session = await connect(url, 'test', () => {})
      const fell = (times: number, ago: string): Promise<unknown> =>
        session.query(
          `INSERT INTO cluster_place (id, falls, fell_at) VALUES ('p', $1, now() - $2::interval)
           ON CONFLICT (id) DO UPDATE SET falls = EXCLUDED.falls, fell_at = EXCLUDED.fell_at`,
          [times, ago],
        )
      try {
        await fell(3, '1 minute')
        const { rows } = await session.query<{ end: string }>(
          `SELECT extract(epoch FROM fell_at + interval '5 minutes') * 1000 AS end FROM cluster_place WHERE id = 'p'`,
        )
        const rests = await placeOf(one, 'p')
        expect(rests).to.deep.include({ owner: null, falls: 3, restsUntil: Math.round(Number(rows[0]?.end)) })
        await fell(3, '6 minutes')
        expect(await placeOf(one, 'p')).to.deep.include({ falls: 3, restsUntil: null })
        await fell(2, '1 minute')
        expect(await placeOf(one, 'p')).to.deep.include({ falls: 2, restsUntil: null })
        await fell(3, '11 minutes')
        expect(await placeOf(one, 'p')).to.deep.include({ falls: 0, restsUntil: null })
      } finally {
        await session.end()
      }
    })
  })

  it('says which hosts drain', async () => {
    const [one, two] = [await join('one'), await join('two')]
    const draining = async (): Promise<string[]> =>
      (await one.member.hosts()).filter(({ drains }) => drains).map(({ name }) => name)
    await two.member.drain('id-two', true)
    expect(await draining()).to.deep.equal(['two'])
    await two.member.drain('id-two', false)
    expect(await draining()).to.deep.equal([])
  })

  describe('calls', () => {
    const failure = (call: Promise<unknown>): Promise<{ code?: string; message: string }> =>
      call.then(
        () => ({ message: 'it did not fail' }),
        (error: Error & { code?: string }) => error,
      )

    it('are answered by the host that has the place, there too', async () => {
      const [one, two] = [await join('one'), await join('two')]
      one.run(['p'])
      await until(() => one.places === 'p')
      const seen: unknown[] = []
      one.member.answer('echo', async (params) => {
        seen.push(params)
        return { said: params }
      })
      await until(async () => (await two.member.hosts()).some(({ places }) => places.includes('p')))
      const long = { text: 'grün 猫 '.repeat(20_000) }
      for (const params of [1, null, 'x', long]) {
        await two.member.look()
        expect(await two.member.call('p', 'echo', params)).to.deep.equal({ said: params })
      }
      expect(await one.member.call('p', 'echo', 'here')).to.deep.equal({ said: 'here' })
      expect(seen).to.have.length(5)
    })

    it('fail as the other host says, and where no host is there', async () => {
      const [one, two] = [await join('one'), await join('two')]
      one.run(['p'])
      await until(() => one.places === 'p')
      await two.member.look()
      one.member.answer('refuse', () => Promise.reject(new WireError('conflict', 'Changed', { data: { by: 'ann' } })))
      one.member.answer('break', () => Promise.reject(new Error('a secret of one')))
      const refused = await failure(two.member.call('p', 'refuse', {}))
      expect(refused).to.deep.include({ code: 'conflict', message: 'Changed', data: { by: 'ann' } })
      const broken = await failure(two.member.call('p', 'break', {}))
      expect(broken.code).to.equal('internal')
      expect(broken.message).to.not.include('secret')
      expect((await failure(two.member.call('p', 'unheard of', {}))).code).to.equal('not_ready')
      expect((await failure(two.member.call('q', 'echo', {}))).code).to.equal('not_ready')
      expect((await failure(two.member.call('p', 'echo', 'x'.repeat(5_000_000)))).code).to.equal('too_large')
    })

    it('have an unknown outcome where the host stops before the answer', async () => {
      const [one, two] = [await join('one'), await join('two')]
      one.run(['p'])
      await until(() => one.places === 'p')
      await two.member.look()
      let asked = false
      one.member.answer('hang', () => {
        asked = true
        return new Promise(() => {})
      })
      const call = failure(two.member.call('p', 'hang', {}))
      await until(() => asked)
      hosts.pop()
      await two.member.close()
      expect((await call).code).to.equal('upstream_unavailable:unknown')
    })
  })
})
