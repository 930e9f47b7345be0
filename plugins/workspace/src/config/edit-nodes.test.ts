// Merge keys and aliases in a section that is changed.
import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import { setSection } from './edit-yaml.js'
import { maskYaml, unmaskYaml } from './mask-yaml.js'
import { parseYaml } from './values.js'

const BASE = 'x-base: &base # for all\n  adapter: sandbox\n  enabled: true\n'
const MERGED = { adapter: 'sandbox', enabled: true }
const change = (text: string, value: unknown): string => {
  const edited = setSection(text, ['endpoints'], value)
  expect(parseYaml(edited)).to.deep.equal({ ...parseYaml(text), endpoints: value })
  return edited
}

describe('setSection with merge keys', () => {
  const text = `${BASE}endpoints:\n  - <<: *base # first\n    id: one\n  - { <<: [*base], id: two } # second\n`
  const [one, two] = [
    { ...MERGED, id: 'one' },
    { ...MERGED, id: 'two' },
  ]

  it('keeps them where another value changes', () => {
    expect(change(text, [{ ...one, id: 'uno' }, two])).to.equal(text.replace('id: one', 'id: uno'))
  })

  it('writes a merged value that changes next to them', () => {
    expect(change(text, [{ ...one, enabled: false }, two]))
      .to.contain('  - <<: *base # first\n    id: one\n    enabled: false\n')
      .and.to.match(/\{ <<: \[ ?\*base ?\], id: two \} # second/)
  })

  it('keeps those of other items where one is added, removed or moved', () => {
    for (const value of [[one, two, { adapter: 'irc', id: 'three' }], [two], [two, one]])
      expect(change(text, value)).to.match(/<<: (?:\*base|\[ ?\*base ?\])/)
    expect(change(text, [two])).to.contain('# second')
  })

  it('writes the values out where a merged one is removed, with comments kept', () => {
    expect(change(text, [{ adapter: 'sandbox', id: 'one' }, two]))
      .to.contain('id: one\n    adapter: sandbox\n')
      .and.to.contain('# second')
      .and.to.contain('[ *base ]')
  })

  it('writes the values out where a removed one would come back by a merge', () => {
    const hidden = `${BASE}endpoints:\n  - { <<: *base, enabled: false, id: one }\n`
    expect(change(hidden, [{ adapter: 'sandbox', id: 'one' }])).not.to.contain('<<')
  })

  const near = `endpoints:
  - &one { adapter: irc, id: one, tls: true } # first
  - { <<: *one, id: two } # second
  - { <<: *one, id: three, tls: false }
`
  const items = parseYaml(near)['endpoints'] as Record<string, unknown>[]

  it('leaves what merges a changed item as it was', () => {
    const [first, ...others] = items
    expect(change(near, [{ ...first, tls: false }, ...others]))
      .to.contain('&one { adapter: irc, id: one, tls: false } # first')
      .and.to.contain('{ <<: *one, id: two, tls: true } # second')
  })

  it('writes the values out where their anchor is removed or comes later', () => {
    expect(change(near, items.slice(1)))
      .to.contain('# second')
      .and.not.to.contain('*one')
    expect(() => change(near, [items[2], items[1], items[0]])).not.to.throw()
  })

  it('writes a section that a merge gives at the end', () => {
    const whole = 'x: &x { endpoints: [a] } # c\n<<: *x\n'
    expect(change(whole, ['b'])).to.equal(`${whole}endpoints:\n  - b\n`)
  })

  it('keeps line ends and aliases of values', () => {
    expect(change('x: &x {a: 1}\r\nendpoints: # c\r\n  k: *x\r\n  l: *x\r\n', { k: { a: 1 }, l: { a: 2 } }))
      .to.contain('  k: *x\r\n')
      .and.to.contain('# c\r\n')
  })

  it('refuses to edit merges that double with each step', () => {
    const steps = Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} { <<: [*a${at}, *a${at}] }\n`)
    const whole = `a0: &a0 { x: 1 }\n${steps.join('')}endpoints: []\n`
    expect(() => setSection(whole, ['endpoints'], ['a']))
      .to.throw(WireError)
      .with.property('code', 'conflict')
  })
})

describe('secrets behind merge keys', () => {
  const schemas = new Map([['endpoints', {}]])
  const text = `x-base: &base
  password: base-pass-word
  name: bot
endpoints:
  - <<: *base # first
  - { <<: [*base], password: own-pass-word }
`

  it('are masked in the text, each in its place, and come back as they were', () => {
    const masked = maskYaml(text, schemas)
    expect(masked).not.to.match(/pass-word/)
    expect(masked).to.contain('<<: *base # first')
    expect(unmaskYaml(masked, text)).to.equal(text.replace(/(\w+-pass-word)/g, '"$1"'))
  })

  it('are masked at once where merges double with each step', () => {
    const steps = Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} { <<: [*a${at}, *a${at}] }\n`)
    expect(maskYaml(`a0: &a0 { password: some-pass-word }\n${steps.join('')}`, schemas)).not.to.contain(
      'some-pass-word',
    )
  })
})
