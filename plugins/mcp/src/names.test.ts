import { expect } from 'chai'
import fc from 'fast-check'
import { offeredName } from './names.js'

describe('offeredName', () => {
  it('returns different valid names for different tools', () => {
    expect(offeredName('files', 'read_file')).to.equal('files__read_file')
    expect(offeredName('files', 'läs fil')).to.match(/^files__l_s_fil_[0-9a-f]{8}$/)
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.tuple(fc.string({ minLength: 1, maxLength: 80 }), fc.string({ minLength: 1, maxLength: 80 })),
          { selector: (pair) => JSON.stringify(pair), minLength: 2, maxLength: 30 },
        ),
        (pairs) => {
          const names = pairs.map(([server, tool]) => offeredName(server, tool))
          for (const name of names) expect(name).to.match(/^[A-Za-z0-9_-]{1,64}$/)
          expect(new Set(names).size).to.equal(pairs.length)
        },
      ),
    )
    const close = ['a', 'a_', 'a__', '_a'].flatMap((server) =>
      ['b', '_b', '__b', 'b_'].map((tool) => offeredName(server, tool)),
    )
    expect(new Set(close).size).to.equal(close.length)
  })
})
