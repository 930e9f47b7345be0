import { expect } from 'chai'
import { maySignIn, takeToken } from './link-token.js'

describe('takeToken', () => {
  it('returns the token behind the "#" and the link without it', () => {
    expect(takeToken('http://127.0.0.1:5173/?apiBaseUrl=x#token=a-b_c')).to.deep.equal({
      token: 'a-b_c',
      href: 'http://127.0.0.1:5173/?apiBaseUrl=x',
    })
  })

  it('leaves other links as they are, and takes no token of a query', () => {
    for (const href of ['http://h/', 'http://h/?token=a', 'http://h/#/logs', 'http://h/logs#tokens=a'])
      expect(takeToken(href), href).to.deep.equal({ href })
    expect(takeToken('http://h/#token=')).to.deep.equal({ href: 'http://h/' })
  })
})

describe('maySignIn', () => {
  it('holds where console and host are on this machine', () => {
    for (const [base, console, may] of [
      ['http://127.0.0.1:8086', 'http://localhost:5173/', true],
      ['http://[::1]:8086', 'http://127.0.0.1:5173/', true],
      ['https://evil.example', 'http://127.0.0.1:5173/', false],
      ['http://127.0.0.1.evil.example', 'http://127.0.0.1:5173/', false],
      ['http://127.0.0.1:8086', 'https://console.example/', false],
    ] as const)
      expect(maySignIn(base, console), `${base} ${console}`).to.equal(may)
  })
})
