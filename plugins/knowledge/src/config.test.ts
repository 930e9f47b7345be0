import { expect } from 'chai'
import { claims, searchable } from './config.js'

describe('ai.knowledge', () => {
  it('refuses names that are no names', () => {
    const check = (name: string) => claims.check({ 'ai.knowledge': { [name]: {} } }).map(({ path }) => path)
    expect(check('a b')).to.deep.equal(['ai.knowledge.a b'])
    expect(check('x'.repeat(65)).length).to.equal(1)
    expect([...check('house-2'), ...check('手册')]).to.deep.equal([])
  })

  it('opens a base to its roles, without any to trusted people and the owner', () => {
    const bases = { all: { roles: ['user' as const] }, own: { roles: ['master' as const] }, usual: {} }
    expect(searchable(bases, new Set(['user']))).to.deep.equal(['all'])
    expect(searchable(bases, new Set(['user', 'trusted']))).to.deep.equal(['all', 'usual'])
    expect(searchable(bases, new Set(['user', 'master']))).to.deep.equal(['all', 'own', 'usual'])
  })
})
