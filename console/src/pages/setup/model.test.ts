import { expect } from 'chai'
import {
  fieldsOf,
  freeName,
  hasSecret,
  installCommandIn,
  masked,
  platformsOf,
  providerSchemaOf,
  secretPathsOf,
} from './model.js'

describe('the forms of the first steps', () => {
  it('offer the platforms that are enabled and those that can be, but not the sandbox', () => {
    const schema = { type: 'object' }
    const platforms = platformsOf([
      { name: 'sandbox', platform: 'Sandbox', schema },
      { name: 'line', platform: 'Line', schema },
      { name: 'irc', platform: 'IRC', schema },
    ])
    expect(platforms.map(({ name, schema: own }) => [name, own !== undefined])).to.deep.equal([
      ['irc', true],
      ['line', true],
      ['telegram', false],
      ['webhook', false],
    ])
  })

  it('ask for required fields first, then for basic ones, and fold the others', () => {
    const schema = {
      required: ['host'],
      properties: { adapter: {}, port: { basic: true }, host: {}, old: { deprecated: true }, rare: {} },
    }
    const { basic, more } = fieldsOf(schema, ['adapter'])
    expect(basic.map(([name]) => name)).to.deep.equal(['host', 'port'])
    expect(more.map(([name]) => name)).to.deep.equal(['rare'])
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
