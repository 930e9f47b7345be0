import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { bracedTexts } from './brace-lists.js'

const TEXTS = [
  'a',
  '{a}',
  '{a,b}',
  'x{a,b}y',
  '{a,{b,c}}',
  '{local{host,}:80}',
  '{{a,b}}',
  '{{a,b},c}',
  'http://{localhost:80}/',
  '{a,b}{c,d}',
  '{,a}x',
  '{a,b',
  'a,b}',
  '{a{b,c}',
  '{a,b}}',
  '{{a,b}',
  '{a},b}',
  '{a,{b}',
  '{a}{b,c}',
  '{a},{b,c}',
  '{../a,b}',
  '{{a},b}',
  '{}{,a}',
  '{,}}',
  '{}.,,}',
]

describe('bracedTexts', () => {
  for (const text of TEXTS)
    it(`reads ${text} as bash does`, () => {
      const bash = execFileSync('bash', ['-c', `printf '%s\\n' ${text}`], { encoding: 'utf8' })
      expect(bracedTexts(text, 64)).to.deep.equal(bash.slice(0, -1).split('\n'))
    })

  it('expands no sequences, and no more texts than it may', () => {
    expect(bracedTexts('{1..3}', 64)).to.equal(undefined)
    expect(bracedTexts('{a,b}{a,b}{a,b}', 7)).to.equal(undefined)
  })
})
