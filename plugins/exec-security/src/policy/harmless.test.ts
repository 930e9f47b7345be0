// Commands that only look like attacks are not denied, and most of them pass.
import { expect } from 'chai'
import { evaluateCommand } from './index.js'
import { HARMLESS } from '../test/families/harmless.js'
import { asking, policy } from '../test/policies.js'

describe('evaluateCommand: harmless commands', () => {
  it(`denies none of ${HARMLESS.length}, and asks about at most a fiftieth`, () => {
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
