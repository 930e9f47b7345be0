// The sample cases of the policy: every one is decided as it expects.
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { evaluateCommand } from './index.js'
import type { ExecPolicy } from './index.js'

interface Example extends ExecPolicy {
  readonly id: string
  readonly command: string
  readonly expect: 'allow' | 'ask' | 'deny' | 'not-allow'
  readonly why: string
}

const examples = readFileSync(new URL('../../src/test/fixtures/exec-examples.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Example)

describe('evaluateCommand: examples', () => {
  for (const example of examples) {
    it(`${example.id}: ${example.why}`, () => {
      const { verdict, reason } = evaluateCommand(example.command, example)
      if (example.expect === 'not-allow') expect(verdict, reason).not.to.equal('allow')
      else expect(verdict, reason).to.equal(example.expect)
    })
  }
})
