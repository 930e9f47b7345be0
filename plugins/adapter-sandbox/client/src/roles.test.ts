import { expect } from 'chai'
import { rolesIn, withRoles } from './roles.js'

describe('the roles of the sandbox', () => {
  const users = [{ id: 'alice', name: 'Alice' }]

  it('are those of the configuration, where one person or several have them', () => {
    expect(Object.fromEntries(rolesIn({ master: 'me', trusted: ['bob', 'me'] }))).to.deep.equal({
      me: 'master',
      bob: 'trusted',
    })
    expect([...rolesIn({ master: ['a', 7, ''], other: 'b' })]).to.deep.equal([['a', 'master']])
    expect([...rolesIn({})]).to.deep.equal([])
  })

  it('add the people who have one, masters first', () => {
    expect(withRoles(users, rolesIn({ master: ['me', 'alice'], trusted: 'bob' }))).to.deep.equal([
      { id: 'me', name: 'me' },
      { id: 'bob', name: 'bob' },
      ...users,
    ])
    expect(withRoles(users, undefined)).to.deep.equal(users)
  })
})
