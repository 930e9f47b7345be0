import { expect } from 'chai'
import { Redactor, secretVariables } from './redact.js'
import { pathRedactor } from '../index.js'

const SHAPES: Record<string, (length: number) => string> = {
  'one long word': (length) => 'a'.repeat(length),
  'words with colons': (length) => 'a:'.repeat(length / 2),
  'beginnings of addresses': (length) => 'x://'.repeat(length / 4),
  'an address that does not end': (length) => `x://${'u'.repeat(length / 2)}:${'p'.repeat(length / 2)}`,
  'addresses with users and no host': (length) => 'x://u:p'.repeat(length / 7),
  slashes: (length) => '/'.repeat(length),
  'paths in paths': (length) => '/etc'.repeat(length / 4),
  'a path that does not end': (length) => `/home/${'a/'.repeat(length / 2)}`,
  'beginnings of files': (length) => 'file://'.repeat(length / 7),
  'steps up': (length) => `/srv/${'../'.repeat(length / 3)}`,
  queries: (length) => '?token='.repeat(length / 7),
  bearers: (length) => 'Bearer '.repeat(length / 7),
  'spaces after a bearer': (length) => `Bearer${' '.repeat(length)}`,
  drives: (length) => 'C:\\'.repeat(length / 3),
  'nearly a secret': (length) => 'canary-on'.repeat(length / 9),
}

/** Enough that what is quadratic takes hours, and so more than the limit of a test. */
const LENGTH = 2_000_000

describe('Redactor speed', () => {
  const redact = new Redactor('/srv/bot')
  redact.learn(['canary-one', 'canary-two'])
  const shorten = pathRedactor('/srv/bot')
  const all = (text: string): void => {
    const line = redact.paths(
      redact.secrets({ time: 0, level: 'info', name: 'p', message: text, fields: { text, [text]: 1 } }),
    )
    shorten(line.message)
  }

  for (const [what, make] of Object.entries(SHAPES)) {
    it(`is linear in the length of ${what}`, () => {
      all(make(LENGTH))
    })
  }
})

describe('secretVariables', () => {
  it('returns the variables with a secret name', () => {
    expect(
      secretVariables({
        HTTP_TOKEN: 'a',
        DB_PASSWORD: 'b',
        OPENAI_API_KEY: 'c',
        SECRET: 'd',
        TOKENS: 'e',
        PATH: 'f',
        MONKEY: 'g',
      }),
    ).to.deep.equal(['a', 'b', 'c', 'd'])
  })
})
