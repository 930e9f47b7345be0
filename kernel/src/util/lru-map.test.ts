import { expect } from 'chai'
import fc from 'fast-check'
import { LruMap } from './lru-map.js'

describe('LruMap', () => {
  it('removes the entry that was used least recently', () => {
    const evicted: string[] = []
    const map = new LruMap<string, number>(2, (key) => evicted.push(key))
    map.set('a', 1).set('b', 2)
    map.get('a')
    map.set('c', 3)
    expect([...map.keys()]).to.deep.equal(['a', 'c'])
    expect(evicted).to.deep.equal(['b'])
  })

  it('does not count peek as use', () => {
    const map = new LruMap<string, number>(2)
    map.set('a', 1).set('b', 2)
    expect(map.peek('a')).to.equal(1)
    map.set('c', 3)
    expect(map.has('a')).to.equal(false)
  })

  it('creates a missing value once', () => {
    const map = new LruMap<string, number[]>(2)
    const first = map.getOrCreate('a', () => [])
    expect(map.getOrCreate('a', () => expect.fail('created twice'))).to.equal(first)
  })

  it('behaves like a list of recent keys for any operations', () => {
    const step = fc.record({
      kind: fc.constantFrom('get', 'set', 'delete', 'peek'),
      key: fc.integer({ min: 0, max: 5 }),
    })
    fc.assert(
      fc.property(fc.array(step), fc.integer({ min: 1, max: 4 }), (steps, capacity) => {
        const map = new LruMap<number, number>(capacity)
        let model: number[] = []
        for (const { kind, key } of steps) {
          const known = model.includes(key)
          if (kind === 'peek') expect(map.peek(key)).to.equal(known ? key : undefined)
          if (kind === 'get') expect(map.get(key)).to.equal(known ? key : undefined)
          if (kind === 'set') map.set(key, key)
          if (kind === 'delete') expect(map.delete(key)).to.equal(known)
          if (kind === 'set' || (kind === 'get' && known)) model = [...model.filter((one) => one !== key), key]
          if (kind === 'delete') model = model.filter((one) => one !== key)
          model = model.slice(-capacity)
          expect([...map.values()]).to.deep.equal(model)
        }
      }),
    )
  })
})
