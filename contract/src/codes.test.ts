import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { codes, isWireError, refinements, statusOf, WireError, type BaseCode } from './index.js'

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')

describe('codes', () => {
  it('have the codes of the interface', () => {
    expect(Object.keys(codes)).to.have.members([
      'unauthorized',
      'forbidden',
      'not_found',
      'method_not_allowed',
      'invalid_request',
      'unsupported_media_type',
      'too_large',
      'rate_limited',
      'not_ready',
      'upstream_unavailable',
      'unsupported',
      'conflict',
      'unknown_method',
      'internal',
    ])
  })

  for (const [code, { status, meaning, remedy }] of Object.entries({ ...codes, ...refinements })) {
    it(`documents ${code}`, () => {
      expect(status).to.be.within(400, 599)
      expect(meaning).to.not.equal('')
      expect(remedy).to.not.equal('')
      expect(page).to.include(`| \`${code}\` | ${status} | ${meaning} | ${remedy} |`)
    })
  }

  it('document no other code', () => {
    const section = page.slice(page.indexOf('## Wire'))
    const documented = [...section.matchAll(/^\| `([a-z_]+)` \| \d{3}/gm)].map(([, code]) => code as BaseCode)
    expect(documented).to.have.members(Object.keys(codes))
  })
})

describe('WireError', () => {
  it('has the status of its code, refined or not', () => {
    expect(new WireError('not_found', 'x').status).to.equal(404)
    expect(new WireError('invalid_request:config', 'x').status).to.equal(400)
    expect(statusOf('rate_limited')).to.equal(429)
    expect(new WireError('too_large:headers', 'x').status).to.equal(431)
    expect(new WireError('too_large:other', 'x').status).to.equal(413)
    expect(new WireError('too_large:constructor', 'x').status).to.equal(413)
  })

  it('has details, data, retryAfter and cause, if given', () => {
    const cause = new Error('why')
    const error = new WireError('not_ready', 'not yet', {
      details: [{ path: 'a', message: 'b' }],
      data: { items: [] },
      retryAfter: 3,
      cause,
    })
    expect(error).to.include({ message: 'not yet', retryAfter: 3, cause })
    expect(error.data).to.deep.equal({ items: [] })
    expect(Object.keys(new WireError('internal', 'x'))).to.not.include.members(['details', 'data', 'retryAfter'])
  })

  it('is recognised across copies of the package, and nothing else is', () => {
    const foreign = Object.assign(new Error('x'), { code: 'not_found' })
    foreign.name = 'WireError'
    expect(isWireError(foreign)).to.equal(true)
    expect(isWireError(new WireError('conflict', 'x'))).to.equal(true)
    for (const other of [new Error('x'), { name: 'WireError', code: 'not_found' }, undefined, 'WireError'])
      expect(isWireError(other)).to.equal(false)
  })
})
