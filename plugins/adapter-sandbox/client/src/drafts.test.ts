import { expect } from 'chai'
import { parseDrafts, serializeDrafts } from './drafts.js'

describe('Drafts', () => {
  it('stores the last fifty drafts, without empty and very long ones', () => {
    const drafts = new Map(Array.from({ length: 60 }, (_, index): [string, string] => [`s${index}`, `text ${index}`]))
    drafts.set('empty', '').set('endless', 'x'.repeat(20_001))
    const kept = parseDrafts(serializeDrafts(drafts))
    expect(kept.size).to.equal(50)
    expect(kept.get('s59')).to.equal('text 59')
    expect(kept.has('s9')).to.equal(false)
  })

  it('reads no drafts from an invalid value', () => {
    for (const text of [null, '{', '{}', '[1,[2,3],["a"]]', 'null'])
      expect(parseDrafts(text).size, String(text)).to.equal(0)
  })
})
