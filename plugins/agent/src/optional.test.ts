import { expect } from 'chai'
import * as cron from '@mynah/plugin-cron/api'
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
    [optional.Jobs, cron.Jobs],
    [optional.jobActions, cron.jobActions],
  ]
  for (const [own, theirs] of tokens)
    it(`means the ${theirs.kind} ${theirs.id} of its plugin`, () => {
      expect(identity(own)).to.deep.equal(identity(theirs))
    })

  it('declares errors as the plugins do', () => {
    expect(new optional.SkipJob('why').name).to.equal(new cron.SkipJob('why').name)
  })
})
