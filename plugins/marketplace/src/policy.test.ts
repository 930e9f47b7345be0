import { expect } from 'chai'
import type { PackagePlan } from '@mynah/contract/types'
import { withEntries, withoutEntries, isPlugin } from './entries.js'
import { refusalsOf, type InstallPolicy } from './policy.js'

const planOf = (name: string, more: object = {}): PackagePlan => ({
  planId: 'p',
  action: 'add',
  changes: [{ name, path: `node_modules/${name}`, to: '1.0.0', asked: true, ...more }],
  contributes: {},
  advisories: 'checked',
  takesEffect: 'live',
  reasons: [],
  refusals: [],
})
const ASK: InstallPolicy = { install: 'ask', scripts: 'ask' }

describe('the policy of installing', () => {
  it('allows only what the patterns name', () => {
    const allowed = (pattern: string, name: string): boolean =>
      refusalsOf(planOf(name), { ...ASK, allow: [pattern] }).length === 0
    for (const [pattern, name] of [
      ['@acme/*', '@acme/dice'],
      ['mynah-plugin-dice', 'mynah-plugin-dice'],
      ['*', 'x'],
      ['a*b*c', 'a-b-b-c'],
    ] as const)
      expect(allowed(pattern, name), `${pattern} ${name}`).to.equal(true)
    for (const [pattern, name] of [
      ['@acme/*', '@acme2/dice'],
      ['@acme/*', 'x@acme/dice'],
      ['mynah-plugin-dice', 'mynah-plugin-dice2'],
      ['ab*ba', 'aba'],
      ['a*b', 'ab2'],
      ['', 'x'],
    ] as const)
      expect(allowed(pattern, name), `${pattern} ${name}`).to.equal(false)
    expect(refusalsOf(planOf('x'), { ...ASK, allow: [] })).to.deep.equal(['marketplace.allow does not name x'])
    expect(refusalsOf(planOf('x'), ASK)).to.deep.equal([])
  })

  it('asks what was named, not what comes with it', () => {
    expect(refusalsOf(planOf('left-pad', { asked: false }), { ...ASK, allow: ['x'] })).to.deep.equal([])
  })

  it('refuses scripts, also of what comes with it, and never a removal', () => {
    const scripted = planOf('x', { script: true, asked: false })
    expect(refusalsOf(scripted, { ...ASK, scripts: 'never' })).to.have.length(1)
    expect(refusalsOf(scripted, ASK)).to.deep.equal([])
    expect(refusalsOf({ ...scripted, action: 'remove' }, { ...ASK, scripts: 'never', allow: [] })).to.deep.equal([])
  })
})

describe('the list of plugins', () => {
  it('gets new plugins, off, once', () => {
    const items = ['chat', { name: 'dice', enabled: true }]
    expect(withEntries(items, ['mynah-plugin-dice', '@mynah/plugin-irc', '@a/mynah-plugin-b'])).to.deep.equal([
      ...items,
      { name: 'irc', enabled: false },
      { name: '@a/mynah-plugin-b', enabled: false },
    ])
  })

  it('loses removed ones by either name', () => {
    const items = ['chat', 'mynah-plugin-dice', { name: 'irc' }, './dice.js']
    expect(withoutEntries(items, ['mynah-plugin-dice', '@mynah/plugin-irc'])).to.deep.equal(['chat', './dice.js'])
  })

  it('has no libraries', () => {
    for (const name of ['mynah-plugin-dice', '@mynah/plugin-irc', '@a/mynah-plugin-b'])
      expect(isPlugin(name)).to.equal(true)
    for (const name of ['mynah', 'left-pad', '@a/b', 'plugin']) expect(isPlugin(name)).to.equal(false)
  })
})
