// The sample cases of the policy: every one is decided as it expects, by its text alone and at its level.
import { expect } from 'chai'
import { evaluateCommand } from './index.js'
import { CORPUS, type Case } from '../test/families/corpus.js'

const expected = ({ expect: verdict }: Case): readonly string[] =>
  verdict === 'not-allow' ? ['ask', 'deny'] : [verdict]

describe('evaluateCommand: examples', () => {
  for (const example of CORPUS) {
    it(`${example.id}: ${example.why}`, () => {
      for (const level of [undefined, example.level]) {
        const { verdict, reason } = evaluateCommand(example.command, { ...example, level })
        expect(verdict, `${level ?? 'no level'}: ${reason}`).to.be.oneOf(expected(example))
      }
    })
  }

  it('that are not allowed are allowed nowhere below the level that they are judged at', () => {
    const levels = ['wall', 'files', 'none'] as const
    for (const example of CORPUS.filter(({ expect: verdict }) => verdict !== 'allow'))
      for (const level of levels.slice(levels.indexOf(example.level)))
        for (const unwalled of ['ask', 'text'] as const) {
          const { verdict } = evaluateCommand(example.command, { ...example, level, unwalled })
          expect(verdict, `${example.id} at ${level}`).to.not.equal('allow')
        }
  })
})
