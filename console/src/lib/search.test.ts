import { expect } from 'chai'
import { search } from './search.js'

describe('search', () => {
  it('requires all words and ranks matches at word starts higher', () => {
    const items = ['Open plugins', 'Plugins', 'Dashboard', 'Sign out']
    expect(search(items, 'plu', (item) => item)).to.deep.equal(['Plugins', 'Open plugins'])
    expect(search(items, 'out sign', (item) => item)).to.deep.equal(['Sign out'])
    expect(search(items, '', (item) => item)).to.deep.equal(items)
    expect(search(items, 'zzz', (item) => item)).to.deep.equal([])
  })
})
