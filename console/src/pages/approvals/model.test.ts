import { expect } from 'chai'
import { answeredOf, checkRule, pieces, reachOf, repeatsCommand, waiting } from './model.js'
import type { ExecApproval } from '@mynah/contract/types'

describe('approvals', () => {
  const parts = [
    { text: 'cd a', verdict: 'allow' as const, rule: '', reason: '' },
    { text: 'rm b', verdict: 'ask' as const, rule: '', reason: '' },
  ]
  it('split a command at its evaluated parts without losing text', () => {
    const found = pieces('cd a && rm b | x', parts)
    expect(found.map(({ text }) => text).join('')).to.equal('cd a && rm b | x')
    expect(found.filter(({ part }) => part?.verdict === 'ask').map(({ text }) => text)).to.deep.equal(['rm b'])
    expect(pieces('other', parts)).to.deep.equal([{ text: 'other', part: undefined }])
  })

  it('have a title of their own unless it repeats the command', () => {
    const long = 'echo '.repeat(40)
    const repeats = (kind: string, title: string, command: string) => repeatsCommand({ kind, title, command })
    expect(repeats('bash', 'anything', 'ls')).to.equal(true)
    expect(repeats('skill', `${long.slice(0, 120)}…`, long)).to.equal(true)
    expect(repeats('skill', 'a b', 'a\n  b')).to.equal(true)
    expect(repeats('host', 'Reach example.org', 'curl https://example.org')).to.equal(false)
  })

  it('are sorted oldest first, without expired ones', () => {
    const approval = (
      id: string,
      createdAt: number,
      expiresAt: number,
      status: ExecApproval['status'] = 'pending',
    ): ExecApproval => ({ id, kind: 'bash', title: 'x', command: 'x', reason: '', status, createdAt, expiresAt })
    expect(
      waiting(
        [approval('b', 2, 99), approval('a', 1, 99), approval('gone', 0, 10), approval('done', 0, 99, 'used')],
        50,
      ).map(({ id }) => id),
    ).to.deep.equal(['a', 'b'])
  })

  it('check a rule against its two examples', () => {
    expect(checkRule('^npm test$', 'npm test', 'npm publish')).to.equal(undefined)
    expect(checkRule('(', '', '')).to.equal('invalid')
    expect(checkRule('', '', '')).to.equal('invalid')
    expect(checkRule('^a$', 'b', '')).to.equal('matchFails')
    expect(checkRule('npm', 'npm test', ''), 'covers the whole').to.equal('matchFails')
    expect(checkRule('npm .*', 'npm test', 'npm publish')).to.equal('noMatchFails')
  })
})

describe('reachOf', () => {
  const part = (text: string, verdict: 'allow' | 'ask' | 'deny') => ({ text, verdict, rule: '', reason: '' })

  it('counts the parts that nothing covers, and of them those that the rule covers', () => {
    const parts = [part('cd site', 'allow'), part('npm ci', 'ask'), part('npm run build', 'ask'), part('curl x', 'ask')]
    const { covered, of } = reachOf('^npm (ci|run build)$', parts)
    expect([covered.map(({ text }) => text), of]).to.deep.equal([['npm ci', 'npm run build'], 3])
    expect(reachOf('(', parts)).to.deep.equal({ covered: [], of: 3 })
  })
})

describe('answeredOf', () => {
  it('leaves out what still waits', () => {
    const rows = (['pending', 'approved', 'denied', 'expired', 'used'] as const).map((status) => ({ status }))
    expect(answeredOf(rows as never).map(({ status }) => status)).to.deep.equal([
      'approved',
      'denied',
      'expired',
      'used',
    ])
  })
})
