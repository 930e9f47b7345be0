// Whatever the text, the policy answers, and a forbidden command in front is always found.
import { expect } from 'chai'
import fc from 'fast-check'
import { evaluateCommand } from './index.js'
import { cases } from '../test/long.js'
import { development, full, permissive, readonly } from '../test/policies.js'

const PIECES = [
  '$(',
  ')',
  '`',
  '"',
  "'",
  '{',
  '}',
  '(',
  ';',
  '&',
  '|',
  '\n',
  '<<E',
  'E',
  '<',
  '>',
  '\\',
  '#',
  '$',
  '${',
  '((',
  '[[',
  ']]',
  'if',
  'then',
  'fi',
  'for',
  'in',
  'do',
  'done',
  'case',
  'esac',
  'ls',
  'x=',
  'a',
  ' ',
  '*',
  '~',
  '!',
  '@(',
  "$'",
  'env',
  'xargs',
  'find',
  '-exec',
  '\\;',
  'bash -c',
  'git',
  'curl',
  '-c',
  '--',
  '-',
  '=',
  'trap',
  'alias',
  '\u0000',
  '\u202e',
  '\ud800',
  'é',
  '<(',
  '$((',
  'function',
  'coproc',
  'time',
  'a[',
  ']',
  '@P',
  ':-',
  '/dev/null',
  '.env',
]

describe('evaluateCommand: fuzzing', () => {
  const policies = [full, readonly, permissive(development)]

  it('returns a verdict for any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const base of policies) expect(evaluateCommand(text, base).verdict).to.be.oneOf(['allow', 'ask', 'deny'])
      }),
      { numRuns: cases(100, 2000) },
    )
  })

  it('returns a verdict for any arrangement of shell syntax', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), fc.constantFrom('', ' '), (pieces, gap) => {
        for (const base of policies)
          expect(evaluateCommand(pieces.join(gap), base).verdict).to.be.oneOf(['allow', 'ask', 'deny'])
      }),
      { numRuns: cases(300, 10_000) },
    )
  })

  it('denies a forbidden command on the first line before any other text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }), (pieces) => {
        for (const base of policies)
          expect(evaluateCommand(`sudo ls\n${pieces.join(' ')}`, base).verdict).to.equal('deny')
      }),
      { numRuns: cases(150, 3000) },
    )
  })

  it('returns a verdict for the longest input of one repeated piece', () => {
    for (const piece of PIECES) {
      for (const gap of ['', ' ']) {
        const text = (piece + gap).repeat(Math.floor(16_000 / Buffer.byteLength(piece + gap)))
        expect(evaluateCommand(text, development).verdict).to.be.oneOf(['allow', 'ask', 'deny'])
      }
    }
  })
})
