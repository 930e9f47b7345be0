import { expect } from 'chai'
import type { AccessRules } from '@mynah/plugin-chat/api'
import { accessVerdict } from './verdict.js'

const verdict = (rules: AccessRules, roles: readonly string[], channel: string, own?: AccessRules) =>
  accessVerdict(
    {
      adapter: 'test',
      endpoint: 'one',
      roles: new Set(roles) as never,
      channel: { type: channel === 'private' ? 'private' : 'group', id: channel },
    },
    rules,
    own,
  )

describe('accessVerdict', () => {
  it('lets everybody in by default', () => {
    for (const channel of ['private', 'g']) expect(verdict({}, ['user'], channel)).to.equal('allow')
  })

  it('lets owners and trusted people in always', () => {
    const rules: AccessRules = { private: 'paired', groups: 'list', list: [] }
    for (const channel of ['private', 'g'])
      for (const role of ['master', 'trusted']) expect(verdict(rules, ['user', role], channel)).to.equal('allow')
  })

  it('refuses strangers by the kind of the conversation, also those with a role of the group', () => {
    for (const roles of [['user'], ['user', 'group_admin', 'group_owner']]) {
      expect(verdict({ private: 'trusted' }, roles, 'private')).to.equal('refuse')
      expect(verdict({ private: 'trusted' }, roles, 'g')).to.equal('allow')
      expect(verdict({ groups: 'trusted' }, roles, 'g')).to.equal('refuse')
      expect(verdict({ groups: 'trusted' }, roles, 'private')).to.equal('allow')
      expect(verdict({ private: 'paired' }, roles, 'private')).to.equal('pair')
    }
  })

  it('answers in the groups of the list', () => {
    const rules: AccessRules = { groups: 'list', list: ['test|one|g', 'test|two|h', 'test|one|a|b'] }
    expect(['g', 'h', 'a|b'].map((group) => verdict(rules, ['user'], group))).to.deep.equal([
      'allow',
      'refuse',
      'allow',
    ])
  })

  it('takes each key of the endpoint before that of all', () => {
    const common: AccessRules = { private: 'trusted', groups: 'trusted' }
    expect(verdict(common, ['user'], 'private', { private: 'everyone' })).to.equal('allow')
    expect(verdict(common, ['user'], 'g', { private: 'everyone' })).to.equal('refuse')
  })
})
