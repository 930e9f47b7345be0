import { expect } from 'chai'
import { EndpointMap } from './endpoint-map.js'

describe('EndpointMap', () => {
  it('keeps one value for each endpoint, also where names are alike', () => {
    const map = new EndpointMap<string>()
    const valueOf = (adapter: string, endpoint: string, created: string): string =>
      map.getOrCreate({ adapter, endpoint }, () => created)
    expect(valueOf('a', 'b|c', 'first')).to.equal('first')
    expect(valueOf('a|b', 'c', 'second')).to.equal('second')
    expect(valueOf('a', 'b|c', 'third')).to.equal('first')
    expect(map.values()).to.deep.equal(['first', 'second'])
  })

  it('creates a value again after it was deleted', () => {
    const map = new EndpointMap<number>()
    const key = { adapter: 'a', endpoint: 'one' }
    map.getOrCreate(key, () => 1)
    map.delete(key)
    map.delete({ adapter: 'b', endpoint: 'none' })
    expect(map.values()).to.deep.equal([])
    expect(map.getOrCreate(key, () => 2)).to.equal(2)
  })
})
