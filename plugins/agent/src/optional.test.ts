import { expect } from 'chai'
import * as cron from '@mynah/plugin-cron/api'
import * as database from '@mynah/plugin-database/api'
import * as exec from '@mynah/plugin-exec-security/api'
import * as optional from './optional.js'

interface Token {
  readonly kind: string
  readonly id: string
  readonly key?: unknown
}
const identity = ({ kind, id, key }: Token): unknown => [kind, id, typeof key === 'string' ? key : undefined]

describe('what the agent uses of optional plugins', () => {
  const tokens: [Token, Token][] = [
    [optional.Approvals, exec.Approvals],
    [optional.Database, database.Database],
    [optional.databaseChanged, database.databaseChanged],
    [optional.entities, database.entities],
    [optional.Jobs, cron.Jobs],
    [optional.jobActions, cron.jobActions],
  ]
  for (const [own, theirs] of tokens)
    it(`means the ${theirs.kind} ${theirs.id} of its plugin`, () => {
      expect(identity(own)).to.deep.equal(identity(theirs))
    })

  it('declares tables and errors as the plugins do', () => {
    const table = { package: 'p', name: 'room', columns: { id: { type: 'text', primary: true } } } as const
    expect(optional.entity<{ id: string }>(table)).to.deep.equal(database.entity<{ id: string }>(table))
    expect(optional.entities.key(optional.entity<{ id: string }>(table))).to.equal('room')
    expect(new optional.SkipJob('why').name).to.equal(new cron.SkipJob('why').name)
  })
})
