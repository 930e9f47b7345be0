import { expect } from 'chai'
import type { ClusterHost, ClusterPlace } from '@mynah/contract/types'
import {
  cannotDrain,
  cannotMove,
  drainEffect,
  moveEffect,
  packageDifferences,
  restartsSelf,
  takersOf,
  targetsOf,
  wishOf,
} from './model.js'

const host = (name: string, given: Partial<ClusterHost> = {}): ClusterHost => ({
  id: `id-${name}`,
  name,
  state: 'live',
  version: '1',
  startedAt: 0,
  places: [],
  drains: false,
  self: false,
  ...given,
})
const place = (given: Partial<ClusterPlace> = {}): ClusterPlace => ({
  id: 'house',
  owner: { id: 'id-one', name: 'one' },
  since: 0,
  wanted: null,
  falls: 0,
  restsUntil: null,
  ...given,
})
const one = host('one', { places: ['house'], self: true })
const two = host('two')

describe('hosts', () => {
  it('take places while they live and do not drain', () => {
    const all = [one, host('dead', { state: 'dead' }), host('gone', { state: 'gone' }), host('full', { drains: true })]
    expect(takersOf(all)).to.deep.equal([one])
  })

  it('cannot give work away where no other takes it', () => {
    expect([cannotMove(place(), [one]), cannotDrain(one, [one])]).to.deep.equal([true, true])
    const others = [one, host('two', { drains: true })]
    expect([cannotMove(place(), others), cannotDrain(one, others)]).to.deep.equal([true, true])
    expect([cannotMove(place(), [one, two]), cannotDrain(one, [one, two])]).to.deep.equal([false, false])
    expect(cannotMove(place({ wanted: 'id-two' }), [one]), 'the move can be taken back').to.equal(false)
    expect(cannotMove(place({ owner: null }), [one]), 'it has no host').to.equal(false)
  })

  it('are offered for a place, another one first', () => {
    const names = (of: ClusterPlace): string[] => targetsOf(of, [one, two], 'any').map(({ name }) => name)
    expect(names(place())).to.deep.equal(['two', 'one'])
    expect(names(place({ wanted: 'id-one' }))).to.deep.equal(['two', 'one', 'any'])
  })
})

describe('a move', () => {
  const to = (target: ClusterHost | undefined, of = place()): string =>
    moveEffect(of, { id: target?.id, name: target?.name ?? 'any' })

  it('says what it does', () => {
    expect(to(two)).to.equal('moveHouse')
    expect(to(two, place({ id: 'endpoint|irc|libera' }))).to.equal('movePlace')
    expect(to(one)).to.equal('moveStays')
    expect(to(undefined)).to.equal('moveAnywhere')
    expect(to(two, place({ owner: null }))).to.equal('moveFree')
    expect(to(two, place({ owner: null, restsUntil: 5 }))).to.equal('moveRests')
  })

  it('starts the host of the console again only where that gives the house away', () => {
    const both = [one, two]
    expect(restartsSelf(place(), two, both)).to.equal(true)
    expect(restartsSelf(place(), one, both)).to.equal(false)
    expect(restartsSelf(place(), { id: undefined, name: 'any' }, both)).to.equal(false)
    expect(restartsSelf(place({ id: 'endpoint|irc|libera' }), two, both)).to.equal(false)
    expect(restartsSelf(place({ owner: { id: 'id-two', name: 'two' } }), one, both)).to.equal(false)
  })

  it('is shown until it is done, and says where its host cannot take the place', () => {
    expect(wishOf(place(), [one, two])).to.equal(undefined)
    expect(wishOf(place({ wanted: 'id-one' }), [one, two])).to.deep.equal({ key: 'kept', host: 'one' })
    expect(wishOf(place({ wanted: 'id-two' }), [one, two])).to.deep.equal({ key: 'goes', host: 'two' })
    expect(wishOf(place({ wanted: 'id-two' }), [one, host('two', { state: 'dead' })])?.key).to.equal('waits')
    expect(wishOf(place({ wanted: 'x' }), [one])).to.deep.equal({ key: 'waits', host: 'x' })
  })
})

describe('draining', () => {
  it('says what it does with the places', () => {
    expect(drainEffect(one)).to.equal('drainHouse')
    expect(drainEffect(host('three', { places: ['endpoint|irc|libera'] }))).to.equal('drainPlaces')
    expect(drainEffect(two)).to.equal('drainNone')
  })
})

describe('packages of hosts', () => {
  const dice = 'mynah-plugin-dice'
  const having = (name: string, version: string, given: Partial<ClusterHost> = {}): ClusterHost =>
    host(name, { packages: { [dice]: version }, ...given })

  it('are not shown where all live hosts that have said theirs have the same', () => {
    const others = [host('four'), having('dead', '9', { state: 'dead' }), having('gone', '9', { state: 'gone' })]
    expect(packageDifferences([having('one', '1'), having('two', '1'), ...others])).to.deep.equal([])
    expect(packageDifferences([having('one', '1')])).to.deep.equal([])
    expect(packageDifferences([])).to.deep.equal([])
  })

  it('are shown with the version of each host, or that it has none', () => {
    const versions = (two: string | undefined) => [
      {
        name: dice,
        versions: [
          { host: 'one', version: '1' },
          { host: 'two', version: two },
        ],
      },
    ]
    expect(packageDifferences([having('one', '1'), having('two', '2')])).to.deep.equal(versions('2'))
    expect(packageDifferences([having('one', '1'), host('two', { packages: {} })])).to.deep.equal(versions(undefined))
  })
})
