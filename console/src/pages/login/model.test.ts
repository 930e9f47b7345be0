import { NetworkError } from '@mynah/sdk'
import { expect } from 'chai'
import { completeBase, isAddress, refusalOf, usualPort, verdictOf } from './model.js'

describe('the login model', () => {
  const page = { origin: 'http://console.test', contract: '1.0' }
  const reachable = {
    reachable: true as const,
    base: 'http://h',
    latency: 3.6,
    status: 'ok' as const,
    apiPrefix: '/api',
    name: 'mynah',
    version: '0.1.0',
    contract: '1.2',
  }

  it('names the host, and warns of another contract version or a starting host', () => {
    expect(verdictOf(reachable, page)).to.deep.include({ tone: 'ok', title: 'reachable' })
    expect(verdictOf(reachable, page).values).to.include({ latency: 4 })
    expect(verdictOf({ ...reachable, contract: '2.0' }, page)).to.include({ tone: 'warn', text: 'contract' })
    expect(verdictOf({ ...reachable, status: 'starting' }, page)).to.include({ tone: 'warn', text: 'starting' })
  })

  it('names each reason for an unreachable host', () => {
    for (const reason of [
      'invalid-url',
      'refused',
      'cors',
      'mixed-content',
      'local-network',
      'not-mynah',
      'timeout',
    ] as const) {
      expect(verdictOf({ reachable: false, reason }, page)).to.deep.include({ tone: 'err', title: `no.${reason}` })
    }
  })

  it('distinguishes a wrong token, too many attempts, and a host that does not answer', () => {
    expect(refusalOf({ status: 401, message: 'The token is not valid' })).to.include({
      title: 'unauthorized',
      said: 'The token is not valid',
    })
    expect(refusalOf({ status: 429, message: '', retryAfter: 30 }).values).to.deep.equal({ seconds: 30 })
    expect(refusalOf(new NetworkError('unreachable', 'no answer'))).to.include({ title: 'network' })
    expect(refusalOf({ status: 503, code: 'not_ready', message: 'starting' })).to.include({ title: 'notReady' })
    expect(refusalOf({ status: 403, message: 'Host not allowed' })).to.include({
      title: 'failed',
      said: 'Host not allowed',
    })
  })

  it('adds the missing scheme', () => {
    expect(completeBase(' localhost:8086 ')).to.equal('http://localhost:8086')
    expect(completeBase('bot.example.org')).to.equal('https://bot.example.org')
    expect(completeBase('http://bot.example.org')).to.equal('http://bot.example.org')
    expect(completeBase('')).to.equal('')
  })

  it('cuts off copied paths, and rejects other text', () => {
    for (const pasted of ['http://h:8086/api', 'http://h:8086/api/', 'http://h:8086/', 'http://h:8086/pub/health'])
      expect(completeBase(pasted), pasted).to.equal('http://h:8086')
    expect(completeBase('https://h/bot/api')).to.equal('https://h/bot')
    expect(completeBase('https://h/my-api')).to.equal('https://h/my-api')
    for (const good of ['localhost:8086', 'bot.example.org', 'http://[::1]:8086'])
      expect(isAddress(good), good).to.equal(true)
    for (const bad of ['', 'not a url', 'ftp://h', 'http://', 'http://u:p@h', 'http://h/?a=1', 'http://h/#x'])
      expect(isAddress(bad), bad).to.equal(false)
    expect(usualPort('http://10.0.0.1:8068', 8086)).to.equal('http://10.0.0.1:8086')
    expect(usualPort('http://10.0.0.1:8086', 8086)).to.equal(undefined)
    expect(usualPort('https://bot.example.org', 8086)).to.equal(undefined)
  })
})
