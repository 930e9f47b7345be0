import { expect } from 'chai'
import { Room } from '../test/stepping.js'

const all = (...places: readonly string[]): Record<string, readonly string[]> =>
  Object.fromEntries(places.map((name) => [name, []]))

describe('the places of several hosts', () => {
  it('are shared evenly, also with a host that comes later', () => {
    const room = new Room().add('a', all('p', 'q', 'r', 's')).run(3)
    expect(room.owners).to.equal('p:a q:a r:a s:a')
    room.add('b', all('p', 'q', 'r', 's')).run(40)
    expect(room.owners).to.equal('p:a q:a r:b s:b')
    expect(room.run(100).owners, 'they stay').to.equal('p:a q:a r:b s:b')
  })

  it('leave no host without one, where they do not divide evenly', () => {
    const places = all('p', 'q', 'r', 's')
    const counts = (room: Room): string =>
      ['a', 'b', 'c'].map((host) => room.owners.split(' ').filter((one) => one.endsWith(`:${host}`)).length).join()
    const together = new Room().add('a', places).add('b', places).add('c', places).run(40)
    expect(counts(together)).to.match(/^(?:2,1,1|1,2,1|1,1,2)$/)
    const later = new Room().add('a', places).add('b', places).run(40)
    expect(counts(later)).to.equal('2,2,0')
    expect(counts(later.add('c', places).run(40))).to.match(/^(?:2,1,1|1,2,1)$/)
    const { owners } = later
    expect(later.run(200).owners, 'they stay').to.equal(owners)
  })

  it('move one at a time, and not while something is going on in them', () => {
    const room = new Room().add('a', all('p', 'q', 'r', 's')).run(3)
    room.set('a', { busy: new Set(['r', 's']) }).add('b', all('p', 'q', 'r', 's'))
    expect(room.run(2).owners).to.equal('p:a q:b r:a s:a')
    expect(room.run(8).owners).to.equal('p:a q:b r:a s:a')
    expect(room.run(3).owners).to.equal('p:b q:b r:a s:a')
  })

  it('are taken by the others when their host is gone', () => {
    const room = new Room()
      .add('a', all('p', 'q', 'r'))
      .add('b', all('p', 'q', 'r'))
      .add('c', all('p', 'q', 'r'))
    expect(room.run(40).owners).to.equal('p:a q:b r:c')
    expect(room.remove('b').run(2).owners).to.match(/p:a q:[ac] r:c/)
  })

  it('go only to hosts that can run them', () => {
    const room = new Room()
      .add('a', all('p', 'q', 'r'))
      .add('b', all('q'))
      .add('c', {})
    expect(room.run(60).owners).to.match(/^p:a q:[ab] r:a$/)
  })

  it('are run by the host that is preferred, and by the next one while that does not run', () => {
    const listed = { p: ['a', 'b'], q: ['b', 'a'], r: ['c'] }
    const room = new Room().add('a', listed).run(2)
    expect(room.owners).to.equal('p:a q:a r:-')
    expect(room.add('b', listed).run(3).owners).to.equal('p:a q:b r:-')
    expect(room.remove('b').run(3).owners).to.equal('p:a q:a r:-')
    expect(room.add('c', listed).run(3).owners).to.equal('p:a q:a r:c')
  })

  it('stay where an operator has moved them, while that host lives', () => {
    const room = new Room().add('a', all('p', 'q')).add('b', all('p', 'q')).run(20)
    expect(room.owners).to.equal('p:a q:b')
    expect(room.change('p', { wanted: 'b' }).run(3).owners).to.match(/^p:b/)
    expect(room.run(60).owners).to.equal('p:b q:a')
    expect(room.remove('b').run(3).owners).to.equal('p:a q:a')
  })

  it('leave a host that is drained, but for those that no other can run', () => {
    const room = new Room()
      .add('a', all('p', 'q', 'only'))
      .add('b', all('p', 'q'))
      .run(40)
    expect(room.set('a', { isDraining: true }).run(3).owners).to.equal('only:a p:b q:b')
    expect(room.run(60).owners).to.equal('only:a p:b q:b')
  })

  it('leave a host that can no longer run them, after a lease', () => {
    const room = new Room().add('a', all('p')).run(3).add('b', all('p')).run(3)
    room.set('a', { offered: new Map() })
    expect(room.run(5).owners).to.equal('p:a')
    expect(room.run(7).owners).to.equal('p:b')
  })

  it('rest where they fell too often', () => {
    const room = new Room().add('a', all('p')).change('p', { mayBeTaken: false })
    expect(room.run(30).owners).to.equal('p:-')
    expect(room.change('p', { mayBeTaken: true }).run(2).owners).to.equal('p:a')
  })
})
