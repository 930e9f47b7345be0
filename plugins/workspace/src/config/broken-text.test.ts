import { expect } from 'chai'
import { isWireError } from '@mynah/contract'
import { maskBroken, unmaskBroken } from './broken-text.js'

const SCHEMAS = new Map([
  ['wants', { properties: { pin: { secret: true }, env: { additionalProperties: { secret: true } } } }],
])
const redact = (text: string): string => text.replaceAll('known-secret', '•')
const mask = (text: string): string => maskBroken(text, SCHEMAS, redact)
const unmask = (fresh: string, broken: string): string => unmaskBroken(fresh, broken, SCHEMAS, redact)

describe('maskBroken', () => {
  for (const [text, shown] of [
    ['http:\n  token: abc\n  port: 1', 'http:\n  token: "••••"\n  port: 1'],
    ['  token abc', '  token "••••"'],
    ['  - password: a # b', '  - password: "••••"'],
    ['  "pin": 12', '  "pin": "••••"'],
    ['http: { port: 1, token: abc', 'http: { port: 1, token: "••••"'],
    ['- { id: a, "password": "b, c", pin: ${PIN} } # d', '- { id: a, "password": "••••", pin: ${PIN} } # d'],
    ['  token: |\n    abc\n    def\n  port: 1', '  token: "••••"\n    "••••"\n    "••••"\n  port: 1'],
    ['env:\n  A: abc\n  B: def\nnext: 1', 'env:\n  "••••"\n  "••••"\nnext: 1'],
    ['tokn: known-secret', '"••••"'],
    ['known-secret', '"••••"'],
    ['  token: abc\r\n  port: 1\r', '  token: "••••"\r\n  port: 1\r'],
    ['  token: ${TOKEN}', '  token: ${TOKEN}'],
    ['# a comment\n\nport 8086', '# a comment\n\nport 8086'],
  ] as const)
    it(`shows ${JSON.stringify(text)} as ${JSON.stringify(shown)}`, () => {
      expect(mask(text)).to.equal(shown)
    })
})

describe('unmaskBroken', () => {
  it('restores the secrets of a text whose mistake was corrected', () => {
    const broken = 'http:\n   port 1\n   token: "a#b"\naccounts:\n  - { id: a }\n  - password: one\n  - password: two\n'
    const fresh = mask(broken).replace('   port 1', '  port: 1').replace('   token', '  token')
    expect(fresh).not.to.match(/a#b|one|two/)
    expect(unmask(fresh, broken)).to.equal(
      'http:\n  port: 1\n  token: "a#b"\naccounts:\n  - { id: a }\n  - password: one\n  - password: two\n',
    )
  })

  it('restores the secrets of mappings in braces', () => {
    const broken = "accounts: [{ id: a, password: one, pin: '1 2' }, { id: b, password: two }\nport 1"
    const fresh = mask(broken).replace('}\nport', '}]\nport:')
    expect(unmask(fresh, broken)).to.equal(
      "accounts: [{ id: a, password: one, pin: '1 2' }, { id: b, password: two }]\nport: 1",
    )
  })

  it('restores a secret without its colon', () => {
    expect(unmask(mask('token abc').replace('token ', 'token: '), 'token abc')).to.equal('token: abc')
  })

  it('refuses a mask that could stand for several secrets, or for none', () => {
    const broken = '- password: one\n- password: two\nport 1'
    for (const fresh of [
      '- password: "••••"\nport: 1',
      '- token: "••••"',
      `${mask(broken)}\n- password: "••••"`,
      'a: ••••',
    ])
      expect(() => unmask(fresh, broken), fresh)
        .to.throw()
        .that.satisfies((error: unknown) => {
          return isWireError(error) && error.code === 'unsupported' && /^line \d+: /.test(error.message)
        })
  })

  it('restores the secrets of lines that are as before, whatever else is removed', () => {
    const broken = 'a: { token: one }\nb: { token: two }\nport 1'
    const fresh = mask(broken)
      .replace(/^b.*\n/m, '')
      .replace('port', 'port:')
    expect(unmask(fresh, broken)).to.equal('a: { token: one }\nport: 1')
  })

  it('lets masked secrets be typed over', () => {
    expect(unmask('password: three\nport: 1', 'password: one\nport 1')).to.equal('password: three\nport: 1')
  })
})
