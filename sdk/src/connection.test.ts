import { expect } from 'chai'
import { clearToken, forgetToken, loadConnection, normalizeBase, readLink, saveConnection } from './index.js'
import { MemoryStorage } from './test/memory-storage.js'

describe('loadConnection', () => {
  let storage: MemoryStorage
  beforeEach(() => {
    storage = new MemoryStorage()
  })

  it('loads the saved connection, under the keys of the contract', () => {
    saveConnection({ base: ' http://LOCALHOST:8086/ ', token: 'secret' }, storage)
    expect(storage.values.get('mynah_api_base')).to.equal('http://localhost:8086')
    expect(storage.values.get('mynah_api_token')).to.equal('secret')
    expect(loadConnection({ storage })).to.deep.equal({ base: 'http://localhost:8086', token: 'secret' })
  })

  it('accepts a connection saved by a client that knows only the two keys', () => {
    storage.setItem('mynah_api_base', 'http://localhost:8086/')
    storage.setItem('mynah_api_token', 'secret')
    expect(loadConnection({ storage })).to.deep.equal({ base: 'http://localhost:8086', token: 'secret' })
  })

  it('does not return the token with the base of a link', () => {
    saveConnection({ base: 'https://mine.example', token: 'secret' }, storage)
    expect(loadConnection({ storage, linkBase: 'https://evil.example' })).to.deep.equal({
      base: 'https://evil.example',
    })
    expect(loadConnection({ storage, linkBase: 'https://mine.example:443/' })).to.deep.equal({
      base: 'https://mine.example',
      token: 'secret',
    })
    for (const near of ['http://mine.example', 'https://mine.example:8443', 'https://mine.example/bot'])
      expect(loadConnection({ storage, linkBase: near })).not.to.have.property('token')
  })

  it('does not return the token with a base that was stored after it', () => {
    saveConnection({ base: 'https://mine.example', token: 'secret' }, storage)
    storage.setItem('mynah_api_base', 'https://evil.example')
    expect(loadConnection({ storage })).to.deep.equal({ base: 'https://evil.example' })
    saveConnection({ base: 'https://evil.example' }, storage)
    expect(storage.values.has('mynah_api_token')).to.equal(false)
  })

  it('keeps the token when the same base is saved again', () => {
    saveConnection({ base: 'https://mine.example', token: 'secret' }, storage)
    saveConnection({ base: 'https://mine.example/' }, storage)
    expect(loadConnection({ storage })).to.deep.equal({ base: 'https://mine.example', token: 'secret' })
  })

  it('keeps the base when the token is cleared', () => {
    saveConnection({ base: 'https://mine.example', token: 'secret' }, storage)
    clearToken(storage)
    expect(loadConnection({ storage })).to.deep.equal({ base: 'https://mine.example' })
    expect(storage.values.size).to.equal(1)
  })

  it('keeps a token for each host, and returns it only with that host', () => {
    saveConnection({ base: 'https://one.example', token: 'first' }, storage)
    saveConnection({ base: 'https://two.example', token: 'second' }, storage)
    expect(loadConnection({ storage })).to.deep.equal({ base: 'https://two.example', token: 'second' })
    expect(loadConnection({ storage, linkBase: 'https://one.example/' })).to.deep.equal({
      base: 'https://one.example',
      token: 'first',
    })
    saveConnection({ base: 'https://one.example' }, storage)
    expect(loadConnection({ storage })).to.deep.equal({ base: 'https://one.example', token: 'first' })
    forgetToken('https://two.example', storage)
    expect(loadConnection({ storage, linkBase: 'https://two.example' })).to.deep.equal({ base: 'https://two.example' })
    expect(storage.values.get('mynah_api_token')).to.equal('first')
    forgetToken('https://one.example', storage)
    expect(storage.values.size).to.equal(1)
  })

  it('keeps the tokens of the last hosts, and ignores malformed stored values', () => {
    for (let index = 0; index < 20; index += 1)
      saveConnection({ base: `https://h${index}.example`, token: `t${index}` }, storage)
    expect(loadConnection({ storage, linkBase: 'https://h0.example' })).to.not.have.property('token')
    expect(loadConnection({ storage, linkBase: 'https://h10.example' }).token).to.equal('t10')
    for (const text of ['{', 'null', '[1]', '{"https://evil.example":7,"nonsense":"t"}']) {
      storage.setItem('mynah_api_tokens', text)
      expect(loadConnection({ storage, linkBase: 'https://evil.example' }), text).to.not.have.property('token')
      expect(loadConnection({ storage }).token).to.equal('t19')
    }
  })

  it('returns nothing when the stored value is missing or no address', () => {
    expect(loadConnection({ storage })).to.deep.equal({})
    storage.setItem('mynah_api_base', 'javascript:alert(1)')
    storage.setItem('mynah_api_token', 'secret')
    expect(loadConnection({ storage })).to.deep.equal({})
  })
})

describe('readLink', () => {
  it('returns the base of a link and the link without it', () => {
    expect(readLink('http://localhost:5173/?apiBaseUrl=http%3A%2F%2F10.0.0.2%3A8086%2F&x=1#/logs')).to.deep.equal({
      base: 'http://10.0.0.2:8086',
      href: 'http://localhost:5173/?x=1#/logs',
    })
  })

  it('removes a base that is no address', () => {
    for (const bad of ['javascript:alert(1)', 'https://user:pw@evil.example', 'nonsense', '']) {
      expect(readLink(`http://localhost:5173/?apiBaseUrl=${encodeURIComponent(bad)}`)).to.deep.equal({
        href: 'http://localhost:5173/',
      })
    }
  })
})

describe('normalizeBase', () => {
  it('returns one spelling', () => {
    expect(['https://h.example:443//', 'https://H.example', 'https://h.example/'].map(normalizeBase)).to.deep.equal(
      Array(3).fill('https://h.example'),
    )
    expect(normalizeBase('https://h.example/bot/')).to.equal('https://h.example/bot')
  })

  it('throws with a reason', () => {
    for (const [text, reason] of [
      ['localhost:8086', /http:\/\/ or https/],
      ['ftp://h', /http:\/\/ or https/],
      ['', /http:\/\/ or https/],
      ['http://a:b@h', /password/],
      ['http://h/?a', /\?/],
      ['http://h/#a', /#/],
    ] as const) {
      expect(() => normalizeBase(text), text).to.throw(TypeError, reason)
    }
  })
})
