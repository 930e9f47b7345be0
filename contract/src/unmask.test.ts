import { expect } from 'chai'
import { SECRET_MASK } from './wire.js'
import { unmaskSecrets } from './unmask.js'

describe('unmaskSecrets', () => {
  it('puts the stored secret in place of each mask', () => {
    const old = { token: 't', list: [{ id: 'a', adapter: 'x', key: 1 }] }
    expect(unmaskSecrets({ token: SECRET_MASK, note: SECRET_MASK.slice(1) }, old)).to.deep.equal({
      token: 't',
      note: SECRET_MASK.slice(1),
    })
    expect(unmaskSecrets({ list: [{ id: 'b' }, { id: 'a', adapter: 'x', key: SECRET_MASK }] }, old)).to.deep.equal({
      list: [{ id: 'b' }, { id: 'a', adapter: 'x', key: 1 }],
    })
  })

  it('refuses a mask without a stored secret, also one of a prototype', () => {
    for (const [value, old] of [
      [{ token: SECRET_MASK }, {}],
      [{ token: SECRET_MASK }, undefined],
      [{ constructor: SECRET_MASK }, {}],
      [{ list: [{ id: 'a', adapter: 'y', key: SECRET_MASK }] }, { list: [{ id: 'a', adapter: 'x', key: 's' }] }],
    ])
      expect(() => unmaskSecrets(value, old), JSON.stringify(value)).to.throw(
        'is masked, but no secret is stored there',
      )
  })
})
