import { expect } from 'chai'
import { missingSettings, withValues } from './required-settings.js'

const schema = {
  type: 'object',
  required: ['host', 'port', 'name'],
  properties: {
    host: { type: 'string' },
    port: { type: 'integer', default: 25 },
    name: { type: 'string' },
    note: { type: 'string' },
  },
}

describe('missingSettings', () => {
  it('finds the required ones without a value and without a default', () => {
    const found = missingSettings([{ path: 'mail.smtp', schema }], { mail: { smtp: { name: 'x' } } })
    expect(found.map(({ section, name }) => `${section} ${name}`)).to.deep.equal(['mail.smtp host'])
  })

  it('finds none in a section that requires none, or that no schema describes', () => {
    expect(
      missingSettings(
        [
          { path: 'a', schema: { type: 'object' } },
          { path: 'b', schema: null },
        ],
        {},
      ),
    ).to.deep.equal([])
  })
})

describe('withValues', () => {
  it('keeps the rest of a section', () => {
    expect(withValues({ mail: { smtp: { name: 'x' } } }, { 'mail.smtp': { host: 'h' } })).to.deep.equal({
      'mail.smtp': { name: 'x', host: 'h' },
    })
  })

  it('makes a section that is not there, and leaves those alone for which nothing was typed', () => {
    expect(withValues({ other: { a: 1 } }, { mail: { host: 'h' } })).to.deep.equal({ mail: { host: 'h' } })
  })
})
