import { expect } from 'chai'
import { HOUSE } from '@mynah/kernel'
import { at, other, place, Stepping as Host } from '../test/stepping.js'
import { mayAct } from './state.js'

const mine = place('a:1')
const free = place(null)
const theirs = place('b:1')

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
    expect(host.effects).to.deep.equal([{ kind: 'take', places: [HOUSE] }])
    expect(host.look(2, [other(1)], [mine]).effects).to.deep.equal([{ kind: 'start', place: HOUSE }])
    expect(host.look(3, [other(1)], [mine]).effects).to.deep.equal([])
  })

  it('takes nothing that fell too often, that another owns, or while it may not act', () => {
    expect(new Host().beat(0).look(1, [], [{ ...free, mayBeTaken: false }]).effects).to.deep.equal([])
    expect(new Host().beat(0).look(1, [other(1)], [theirs]).effects).to.deep.equal([])
    expect(new Host().look(1, [], [free]).effects).to.deep.equal([])
  })

  it('stops its places past the end, and starts them again where a beat is found', () => {
    const host = new Host().beat(0).look(1, [other(1)], [mine])
    expect(host.tick(at(7_000)).effects).to.deep.equal([{ kind: 'stop', place: HOUSE }])
    expect(host.tick(at(7_100)).effects).to.deep.equal([])
    expect(host.beat(7_200).effects).to.deep.equal([{ kind: 'start', place: HOUSE }])
  })

  it('stops a place that a look shows with another', () => {
    const host = new Host().beat(0).look(1, [other(1)], [mine])
    expect(host.look(2, [other(1)], [theirs]).effects).to.deep.equal([{ kind: 'stop', place: HOUSE }])
  })

  it('runs a place whose release had no answer where a look shows that it is still here', () => {
    const drains = { others: [other(1)], offered: new Map([[HOUSE, []]]), isDraining: true, busy: new Set<string>() }
    const giving = (): Host =>
      new Host()
        .beat(0)
        .look(1, [other(1)], [mine])
        .give(at(2), { kind: 'looked', places: [mine], ...drains })
    expect(giving().effects.map(({ kind }) => kind)).to.deep.equal(['stop', 'give'])
    const failed = (): Host => giving().give(at(3), { kind: 'give-failed', place: HOUSE })
    expect(failed().effects).to.deep.equal([])
    expect(failed().look(4, [other(1)], [theirs]).effects).to.deep.equal([])
    expect(failed().look(4, [other(1)], [mine]).effects).to.deep.equal([{ kind: 'start', place: HOUSE }])
  })

  it('stops its places and ends where its row is no longer its own', () => {
    const host = new Host().beat(0).look(1, [other(1)], [mine])
    host.give(at(2), { kind: 'beaten', sent: at(2), found: false })
    expect(host.effects).to.deep.equal([{ kind: 'stop', place: HOUSE }, { kind: 'exit' }])
    expect(mayAct(host.state, at(2))).to.equal(false)
  })

  it('stops its places when it leaves', () => {
    const host = new Host().beat(0).look(1, [other(1)], [mine])
    expect(host.give(at(2), { kind: 'leave' }).effects).to.deep.equal([{ kind: 'stop', place: HOUSE }])
    expect(host.beat(3).effects).to.deep.equal([])
  })

  describe('another host', () => {
    const watched = (): Host => {
      const host = new Host()
      for (let ms = 0; ms < 10_000; ms += 1_000) host.look(ms, [other(7)], [theirs])
      return host
    }

    it('is declared dead when it did not beat for a whole lease', () => {
      const host = watched()
      expect(host.effects).to.deep.equal([])
      expect(host.look(10_000, [other(7)], [theirs]).effects).to.deep.equal([{ kind: 'declare-dead', host: other(7) }])
    })

    it('lives while it beats, or has a new epoch', () => {
      expect(watched().look(10_000, [other(8)], [theirs]).effects).to.deep.equal([])
      expect(watched().look(10_000, [other(7, { epoch: 2 })], [theirs]).effects).to.deep.equal([])
    })

    it('is observed from the beginning after a look that failed or was late', () => {
      const failed = watched().give(at(9_500), { kind: 'look-failed' })
      expect(failed.look(10_000, [other(7)], [theirs]).effects).to.deep.equal([])
      expect(watched().look(60_000, [other(7)], [theirs]).effects).to.deep.equal([])
    })
  })
})
