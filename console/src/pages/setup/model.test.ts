import { expect } from 'chai'
import { fieldsOf, hasSecret, masked, secretPathsOf, withEmptyLines, withoutEmptyLines } from './model.js'
import { freeName, installCommandIn, platformsOf, providerSchemaOf } from './offers.js'

describe('the forms of the first steps', () => {
  it('offer the platforms that are enabled and those that can be, but not the sandbox', () => {
    const schema = { type: 'object' }
    const platforms = platformsOf([
      { name: 'sandbox', platform: 'Sandbox', schema },
      { name: 'line', platform: 'Line', schema },
      { name: 'irc', platform: 'IRC', schema },
    ])
    expect(platforms.map(({ name, schema: own }) => [name, own !== undefined])).to.deep.equal([
      ['dingtalk', false],
      ['discord', false],
      ['irc', true],
      ['lark', false],
      ['line', true],
      ['mail', false],
      ['matrix', false],
      ['onebot', false],
      ['slack', false],
      ['telegram', false],
      ['webhook', false],
      ['xmpp', false],
    ])
  })

  it('ask for required fields first, then for basic ones, and fold the others', () => {
    const schema = {
      required: ['host'],
      properties: { adapter: {}, port: { basic: true }, host: {}, old: { deprecated: true }, rare: {} },
    }
    const { basic, more } = fieldsOf(schema, { initial: {}, hidden: ['adapter'] })
    expect(basic.map(([name]) => name)).to.deep.equal(['host', 'port'])
    expect(more.map(([name]) => name)).to.deep.equal(['rare'])
  })

  it('ask for no field that has a value, and only for those that a family needs', () => {
    const schema = { required: ['id', 'host'], properties: { id: {}, host: {}, port: { basic: true }, rare: {} } }
    const names = (choice: Parameters<typeof fieldsOf>[1]): string[] =>
      fieldsOf(schema, choice).basic.map(([name]) => name)
    expect(names({ initial: { id: 'irc' } })).to.deep.equal(['host', 'port'])
    expect(names({ initial: {}, asked: ['rare', 'host'] })).to.deep.equal(['rare', 'host'])
    expect(names({ initial: {}, asked: [] })).to.deep.equal([])
  })

  it('begin a list of texts with an empty line, which is no part of the value', () => {
    const list = { type: 'array', items: { type: 'string' } }
    const schema = { properties: { channels: { ...list, basic: true }, nick: { type: 'string' }, others: list } }
    expect(withEmptyLines(schema, { initial: { nick: 'plum' } })).to.deep.equal({ nick: 'plum', channels: [''] })
    expect(withoutEmptyLines({ nick: '', channels: ['', '#a', ''] })).to.deep.equal({ nick: '', channels: ['#a'] })
    expect(withoutEmptyLines({ channels: [''], others: [] })).to.deep.equal({ others: [] })
  })

  it('show no secret in the review', () => {
    const secret = { type: 'string', secret: true }
    const schema = { properties: { token: secret, sasl: { properties: { password: secret } }, key: secret } }
    expect(masked(schema, { token: 'abc', sasl: { password: 'def' }, key: '${KEY}', other: 1 })).to.deep.equal({
      token: '••••',
      sasl: { password: '••••' },
      key: '${KEY}',
      other: 1,
    })
  })

  it('know the secrets that can go into the environment file', () => {
    const secret = { type: 'string', secret: true }
    const schema = { properties: { host: {}, token: secret, sasl: { properties: { password: secret } } } }
    expect(secretPathsOf(schema)).to.deep.equal([['token'], ['sasl', 'password']])
    expect(hasSecret(schema, { host: 'h', token: 'abc' })).to.equal(true)
    expect(hasSecret(schema, { sasl: { password: 'def' } })).to.equal(true)
    expect(hasSecret(schema, { host: 'h', token: '${TOKEN}', sasl: { password: '' } })).to.equal(false)
  })

  it('find free names, schemas of providers and commands in messages', () => {
    expect(freeName('irc', ['irc', 'irc-2'])).to.equal('irc-3')
    const inner = { properties: { sdk: {} } }
    expect(providerSchemaOf({ properties: { providers: { additionalProperties: inner } } })).to.equal(inner)
    expect(installCommandIn('no plugin "ai" is installed; install it with: npm install @mynah/plugin-ai')).to.equal(
      'npm install @mynah/plugin-ai',
    )
    expect(installCommandIn('something else')).to.equal(undefined)
  })
})
