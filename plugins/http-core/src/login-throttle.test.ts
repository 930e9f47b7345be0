import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { LoginThrottle } from './login-throttle.js'
import { DEMO, json, serve, stopAll, TOKEN } from './test/support.js'

const wrongFrom = (address: string) => ({ token: 'wrong', headers: { 'x-forwarded-for': address } })

describe('bearer token', () => {
  afterEach(stopAll)

  it('is accepted with the scheme in any case and any number of spaces', async () => {
    const { fetch } = await serve()
    for (const authorization of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER ${TOKEN}`, `bEaReR   ${TOKEN}`]) {
      expect((await fetch('/api/things', { headers: { authorization } })).status, authorization).to.equal(200)
    }
  })

  it('is rejected when missing, empty or malformed, without counting as a guess', async () => {
    const { fetch } = await serve()
    const malformed = [
      '',
      'Bearer',
      'Bearer ',
      TOKEN,
      `Basic ${TOKEN}`,
      `Bearer${TOKEN}`,
      `Bearer ${TOKEN} x`,
      `Bearer a b`,
      `Token ${TOKEN}`,
      `Bearer\t${TOKEN}`,
      `"Bearer ${TOKEN}"`,
    ]
    for (let round = 0; round < 3; round++) {
      for (const authorization of malformed)
        expect((await fetch('/api/things', { headers: { authorization } })).status, authorization).to.equal(401)
    }
    expect((await fetch('/api/things', { token: 'wrong' })).status).to.equal(401)
  })

  it('is rejected when it is almost correct', async () => {
    const { fetch } = await serve()
    for (const token of [
      TOKEN.slice(0, -1),
      `${TOKEN}x`,
      TOKEN.toUpperCase(),
      `x${TOKEN}`,
      [...TOKEN].reverse().join(''),
    ]) {
      expect((await fetch('/api/things', { token })).status, token).to.equal(401)
    }
  })

  it('is answered with 429 for five minutes from the eleventh wrong one on, while a valid one works', async () => {
    const clock = new TestClock()
    const { fetch, log } = await serve({}, { clock })
    for (let guess = 1; guess <= 10; guess++)
      expect((await fetch('/api/things', { token: `wrong-${guess}` })).status).to.equal(401)
    const eleventh = await fetch('/api/things', { token: 'wrong-11' })
    expect(eleventh.status).to.equal(429)
    expect(eleventh.headers.get('retry-after')).to.equal('300')
    expect((await json(eleventh)).code).to.equal('rate_limited')
    expect((await fetch('/api/things')).status).to.equal(200)
    expect((await fetch('/api/things', { token: null })).status).to.equal(401)
    await clock.advance(299_000)
    const later = await fetch('/api/things', { token: 'wrong' })
    expect(later.status).to.equal(429)
    expect(later.headers.get('retry-after')).to.equal('1')
    await clock.advance(1_000)
    expect((await fetch('/api/things', { token: 'wrong' })).status).to.equal(401)
    expect(log.filter(({ message }) => message === 'too many wrong tokens')).to.have.length(1)
    expect(JSON.stringify(log)).not.to.contain('wrong-1')
  })

  it('is not blocked for guesses that are a minute old', async () => {
    const clock = new TestClock()
    const { fetch } = await serve({}, { clock })
    for (let guess = 0; guess < 10; guess++) await fetch('/api/things', { token: 'wrong' })
    await clock.advance(60_001)
    for (let guess = 0; guess < 10; guess++)
      expect((await fetch('/api/things', { token: 'wrong' })).status).to.equal(401)
    expect((await fetch('/api/things', { token: 'wrong' })).status).to.equal(429)
  })

  it('counts forwarded addresses only from a trusted proxy', async () => {
    const plain = await serve()
    for (let guess = 0; guess < 10; guess++) await plain.fetch('/api/things', wrongFrom(`10.0.0.${guess}`))
    expect(
      (await plain.fetch('/api/things', wrongFrom('10.0.0.99'))).status,
      'a forged address changes nothing',
    ).to.equal(429)

    const behind = await serve({ trustedProxies: ['127.0.0.0/8'] })
    for (let guess = 0; guess < 11; guess++) await behind.fetch('/api/things', wrongFrom('203.0.113.7'))
    expect((await behind.fetch('/api/things', wrongFrom('203.0.113.7'))).status).to.equal(429)
    expect((await behind.fetch('/api/things', wrongFrom('203.0.113.8'))).status).to.equal(401)
    expect(
      (await behind.fetch('/api/things', wrongFrom('198.51.100.1, 203.0.113.7'))).status,
      'addresses before the last hop are not trusted',
    ).to.equal(429)
    const seen = async (chain: string) =>
      (await json(await behind.fetch('/api/things', { method: 'DELETE', headers: { 'x-forwarded-for': chain } }))).data
    expect(await seen('198.51.100.1')).to.deep.equal({ text: '198.51.100.1' })
    expect(await seen('198.51.100.1, 127.0.0.9')).to.deep.equal({ text: '198.51.100.1' })
    expect(await seen('nonsense')).to.deep.equal({ text: '127.0.0.1' })
    expect(await seen('::ffff:198.51.100.2')).to.deep.equal({ text: '198.51.100.2' })
  })

  it('cannot be combined with a trusted proxy that is not an address', async () => {
    const { host } = await serve({ trustedProxies: ['10.0.0.0/8', 'proxy.example'] })
    expect(host.inspect()[0]?.error?.message).to.contain('http.trustedProxies').and.to.contain('proxy.example')
  })

  it('of scope demo reaches only routes that are declared for it', async () => {
    const { fetch } = await serve()
    expect((await json(await fetch('/api/look', { token: DEMO }))).data).to.deep.equal({ text: 'visitor' })
    expect((await fetch('/api/look', { token: DEMO, method: 'HEAD' })).status).to.equal(200)
    for (const [method, path] of [
      ['GET', '/api/things'],
      ['GET', '/api/things/x'],
      ['DELETE', '/api/things'],
      ['POST', '/api/look'],
      ['OPTIONS', '/api/look'],
      ['GET', '/api/nothing'],
      ['GET', '/api'],
      ['POST', '/api/echo'],
      ['GET', '/api/%6Cook'],
    ] as const) {
      const response = await fetch(path, { token: DEMO, method, ...(method === 'POST' ? { body: '{' } : {}) })
      expect(response.status, `${method} ${path}`).to.equal(403)
      if (method !== 'OPTIONS') expect((await json(response)).code).to.equal('forbidden')
    }
    expect((await fetch('/pub/hello', { token: DEMO })).status).to.equal(200)
  })
})

describe('LoginThrottle', () => {
  it('stays bounded under a million forged addresses', () => {
    const attempts = new LoginThrottle()
    for (let n = 0; n < 1_000_000; n++)
      attempts.recordFailure(`${n >>> 24}.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`, 1_000)
    expect(attempts.size).to.be.at.most(10_000)
  }).timeout(30_000)

  it('counts IPv6 clients by their network', () => {
    const attempts = new LoginThrottle()
    for (let n = 0; n < 10; n++) expect(attempts.recordFailure(`2001:db8:1:2::${n}`, 1_000).retryAfter).to.equal(0)
    expect(attempts.recordFailure('2001:db8:1:2:ffff::1', 1_000).retryAfter).to.equal(300)
    expect(attempts.recordFailure('2001:db8:1:3::1', 1_000).retryAfter).to.equal(0)
  })
})
