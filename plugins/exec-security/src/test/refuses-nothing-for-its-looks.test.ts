// What looks like an attack and is none is not denied; most of it passes.
import { expect } from 'chai'
import { evaluateCommand } from '../policy/index.js'
import { HARMLESS } from './families/harmless.js'
import { asking, policy } from './policies.js'

describe('the policy refuses nothing for its looks', () => {
  it(`in ${HARMLESS.length} commands, of which at most a fiftieth is put to the owner`, () => {
    expect(HARMLESS.length).to.be.at.least(100)
    const verdicts = HARMLESS.map(({ command, policy: over }) => ({
      command,
      ...evaluateCommand(command, asking(policy(over))),
    }))
    const shown = (wanted: string): string[] =>
      verdicts.filter(({ verdict }) => verdict === wanted).map(({ command, reason }) => `${command}  # ${reason}`)
    expect(shown('deny')).to.deep.equal([])
    expect(shown('ask').length, shown('ask').join('\n')).to.be.at.most(HARMLESS.length / 50)
  })
})
