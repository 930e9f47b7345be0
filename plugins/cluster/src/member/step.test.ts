import { expect } from 'chai'
import { joined, mayAct, type Durations, type HostRow, type MemberState, type Moment } from './state.js'
import { step, type Effect, type Input } from './step.js'

const DURATIONS: Durations = { lease: 10_000, margin: 3_000, beat: 2_000, look: 1_000 }
const at = (ms: number, wall = ms): Moment => ({ monotonic: ms, wall: 1_000_000 + wall })
const other = (beat: number, epoch = 1): HostRow => ({ id: 'b', epoch, beat })
const mine = { id: '*', owner: 'a:1', mayBeTaken: true }
const free = { id: '*', owner: null, mayBeTaken: true }
const theirs = { id: '*', owner: 'b:1', mayBeTaken: true }

/** Steps through inputs, and remembers the effects of the last. */
class Host {
  state: MemberState = joined('a', 1)
  effects: readonly Effect[] = []

  give(now: Moment, input: Input): this {
    const { state, effects } = step(this.state, input, now, DURATIONS)
    this.state = state
    this.effects = effects
    return this
  }

  beat(ms: number): this {
    return this.give(at(ms), { kind: 'beaten', sent: at(ms), found: true })
  }

  look(ms: number, others: readonly HostRow[], places = [theirs] as readonly (typeof mine | typeof free)[]): this {
    return this.give(at(ms), { kind: 'looked', others, places })
  }

  tick(now: Moment): this {
    return this.give(now, { kind: 'tick' })
  }
}

describe('step', () => {
  it('acts from its first beat until the margin before its lease ends', () => {
    const host = new Host()
    expect(mayAct(host.state, at(0))).to.equal(false)
    host.beat(100)
    expect(mayAct(host.state, at(7_099))).to.equal(true)
    expect(mayAct(host.state, at(7_100))).to.equal(false)
  })

  it('counts from when a beat was sent, not from its answer', () => {
    const host = new Host().give(at(5_000), { kind: 'beaten', sent: at(100), found: true })
    expect(mayAct(host.state, at(7_100))).to.equal(false)
  })

  it('stops to act where either clock has passed the end', () => {
    const host = new Host().beat(0)
    // A machine that slept: its monotonic clock stood still.
    expect(mayAct(host.state, at(1_000, 60_000))).to.equal(false)
    expect(mayAct(host.state, at(60_000, 1_000))).to.equal(false)
  })

  it('takes a free place, and starts it when a look shows that it has it', () => {
    const host = new Host().beat(0).look(1, [other(1)], [free])
    expect(host.effects).to.deep.equal([{ kind: 'take', count: 1 }])
    expect(host.look(2, [other(1)], [mine]).effects).to.deep.equal([{ kind: 'start', place: '*' }])
    expect(host.look(3, [other(1)], [mine]).effects).to.deep.equal([])
  })

  it('takes nothing that fell too often, that another owns, or while it may not act', () => {
    expect(new Host().beat(0).look(1, [], [{ ...free, mayBeTaken: false }]).effects).to.deep.equal([])
    expect(new Host().beat(0).look(1, [other(1)], [theirs]).effects).to.deep.equal([])
    expect(new Host().look(1, [], [free]).effects).to.deep.equal([])
  })

  it('takes no more than its share', () => {
    const places = ['p', 'q', 'r'].map((id) => ({ id, owner: null, mayBeTaken: true }))
    expect(new Host().beat(0).look(1, [other(1)], places).effects).to.deep.equal([{ kind: 'take', count: 2 }])
  })

  it('stops its places past the end, and starts them again where a beat is found', () => {
    const host = new Host().beat(0).look(1, [other(1)], [mine])
    expect(host.tick(at(7_000)).effects).to.deep.equal([{ kind: 'stop', place: '*' }])
    expect(host.tick(at(7_100)).effects).to.deep.equal([])
    expect(host.beat(7_200).effects).to.deep.equal([{ kind: 'start', place: '*' }])
  })

  it('stops a place that a look shows with another', () => {
    const host = new Host().beat(0).look(1, [other(1)], [mine])
    expect(host.look(2, [other(1)], [theirs]).effects).to.deep.equal([{ kind: 'stop', place: '*' }])
  })

  it('stops its places and ends where its row is no longer its own', () => {
    const host = new Host().beat(0).look(1, [other(1)], [mine])
    host.give(at(2), { kind: 'beaten', sent: at(2), found: false })
    expect(host.effects).to.deep.equal([{ kind: 'stop', place: '*' }, { kind: 'exit' }])
    expect(mayAct(host.state, at(2))).to.equal(false)
  })

  it('stops its places when it leaves', () => {
    const host = new Host().beat(0).look(1, [other(1)], [mine])
    expect(host.give(at(2), { kind: 'leave' }).effects).to.deep.equal([{ kind: 'stop', place: '*' }])
    expect(host.beat(3).effects).to.deep.equal([])
  })

  describe('another host', () => {
    const watched = (): Host => {
      const host = new Host()
      for (let ms = 0; ms < 10_000; ms += 1_000) host.look(ms, [other(7)])
      return host
    }

    it('is declared dead when it did not beat for a whole lease', () => {
      const host = watched()
      expect(host.effects).to.deep.equal([])
      expect(host.look(10_000, [other(7)]).effects).to.deep.equal([{ kind: 'declare-dead', host: other(7) }])
    })

    it('lives while it beats, or has a new epoch', () => {
      expect(watched().look(10_000, [other(8)]).effects).to.deep.equal([])
      expect(watched().look(10_000, [other(7, 2)]).effects).to.deep.equal([])
    })

    it('is observed from the beginning after a look that failed or was late', () => {
      const failed = watched().give(at(9_500), { kind: 'look-failed' })
      expect(failed.look(10_000, [other(7)]).effects).to.deep.equal([])
      expect(watched().look(60_000, [other(7)]).effects).to.deep.equal([])
    })
  })
})
