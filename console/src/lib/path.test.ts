import { expect } from 'chai'
import { address, findRoute, isLocalTarget, matchPath } from './path.js'

describe('paths', () => {
  it('reads parameters and decodes them', () => {
    expect(matchPath('/plugins/:name', '/plugins/%40a%2Fb')).to.deep.equal({ name: '@a/b' })
    expect(matchPath('/plugins', '/plugins/')).to.deep.equal({})
    expect(matchPath('/plugins/:name', '/plugins')).to.equal(undefined)
    expect(matchPath('/plugins/:name', '/plugins/a/b')).to.equal(undefined)
  })

  it('matches nothing where the encoding is broken', () => {
    expect(matchPath('/plugins/:name', '/plugins/%zz')).to.equal(undefined)
  })

  it('prefers a fixed path over a parameter', () => {
    const routes = [{ path: '/x/:id' }, { path: '/x/new' }]
    expect(findRoute(routes, '/x/new')?.route.path).to.equal('/x/new')
    expect(findRoute(routes, '/x/7')?.params).to.deep.equal({ id: '7' })
    expect(findRoute(routes, '/y')).to.equal(undefined)
  })

  it('leaves empty values and defaults out of an address', () => {
    expect(address('/plugins', { filter: '', page: '1', status: 'active' }, { page: '1' })).to.equal(
      '/plugins?status=active',
    )
    expect(address('/plugins', { filter: 'a b&c' })).to.equal('/plugins?filter=a+b%26c')
    expect(address('/plugins', {})).to.equal('/plugins')
  })

  it('returns after signing in only to places of the console', () => {
    expect(isLocalTarget('/plugins?filter=a')).to.equal(true)
    for (const target of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/login',
      '',
    ])
      expect(isLocalTarget(target), target).to.equal(false)
  })
})
