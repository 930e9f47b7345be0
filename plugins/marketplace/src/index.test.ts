import { expect } from 'chai'
import type { MarketplaceDetail, MarketplaceItem } from '@mynah/contract/types'
import { isNewer } from './packages.js'
import { open, type Market } from './test/support.js'

const SEARCH = '/pub/marketplace/search'
const DETAIL = '/pub/marketplace/detail'
const plugin = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  version: '1.0.0',
  keywords: ['mynah-plugin'],
  description: `does ${name}`,
  ...more,
})

describe('marketplace', () => {
  let market: Market
  beforeEach(async () => {
    market = await open({
      '@mynah/plugin-irc': '1.0.0',
      'mynah-plugin-dice': '0.9.0',
      'mynah-plugin-current': '2.0.0',
      'mynah-plugin-private': '1.0.0',
      './plugins/own': '1.0.0',
    })
    const { registry } = market
    registry.add(
      plugin('@mynah/plugin-irc', { version: '1.2.0', keywords: ['mynah-plugin', 'adapter'], author: { name: 'Ann' } }),
      ['1.0.0', '1.1.0', '1.2.0'],
    )
    registry.add(
      plugin('mynah-plugin-dice', {
        version: '1.0.0-rc.1',
        keywords: ['fun', 'mynah-plugin', 'Game', 'tool'],
        mynah: { displayName: 'Dice' },
        author: 'Bob',
        repository: { url: 'git+https://code.example/dice.git' },
        homepage: 'https://dice.example',
        license: 'MIT',
        engines: { node: '>=20' },
        peerDependencies: { mynah: '^1' },
      }),
    )
    registry.add(plugin('mynah-plugin-current', { version: '2.0.0' }))
    for (let index = 0; index < 30; index++)
      registry.add(
        plugin(`mynah-plugin-many-${index}`, { keywords: ['mynah-plugin', 'many', ...(index % 3 ? [] : ['theme'])] }),
      )
    registry.add({ name: 'left-pad', version: '1.0.0', keywords: ['string'] })
  })
  afterEach(() => market.stop())

  it('finds packages by words', async () => {
    const { status, data, total, page, size, stale } = await market.call(`${SEARCH}?q=dice`)
    expect({ status, total, page, size, stale }).to.deep.equal({
      status: 200,
      total: 1,
      page: 1,
      size: 20,
      stale: undefined,
    })
    expect(data).to.deep.equal([
      {
        name: 'mynah-plugin-dice',
        displayName: 'Dice',
        version: '1.0.0-rc.1',
        description: 'does mynah-plugin-dice',
        author: 'Bob',
        isOfficial: false,
        category: 'game',
        keywords: ['fun', 'mynah-plugin', 'Game', 'tool'],
        npm: 'https://packages.example/mynah-plugin-dice',
        downloads: { weekly: 7, monthly: 30 },
      } satisfies MarketplaceItem,
    ])
    expect(market.registry.asked).to.deep.equal(['/-/v1/search?text=keywords%3Amynah-plugin+dice&size=20&from=0'])
  })

  it('accepts both names of its parameters and prefers the first', async () => {
    expect(await market.call(`${SEARCH}?keyword=dice`)).to.include({ total: 1 })
    expect(await market.call(`${SEARCH}?q=irc&keyword=dice`)).to.have.nested.property(
      'data[0].name',
      '@mynah/plugin-irc',
    )
    expect(await market.call(`${SEARCH}?limit=5`)).to.include({ size: 5, total: 33 })
    expect((await market.call(`${SEARCH}?limit=5&size=7`)).data).to.have.length(7)
    const names = async (page: number) =>
      ((await market.call(`${SEARCH}?q=many&size=12&page=${page}`)).data as MarketplaceItem[]).map(({ name }) => name)
    expect(new Set([...(await names(1)), ...(await names(2)), ...(await names(3))])).to.have.length(30)
    expect(await names(4)).to.deep.equal([])
    for (const wrong of [
      'size=0',
      'size=101',
      'limit=x',
      'page=0',
      'page=1.5',
      'category=none',
      'official=maybe',
      `q=${'x'.repeat(257)}`,
    ])
      expect(await market.call(`${SEARCH}?${wrong}`), wrong).to.include({ status: 400, code: 'invalid_request' })
  })

  it('filters all results by category and origin', async () => {
    expect(await market.call(`${SEARCH}?category=theme&size=4`)).to.include({ total: 10, size: 4 })
    expect((await market.call(`${SEARCH}?category=theme&size=4&page=3`)).data).to.have.length(2)
    expect((await market.call(`${SEARCH}?official=true`)).data)
      .to.have.length(1)
      .and.to.have.nested.property('[0].name', '@mynah/plugin-irc')
    expect(await market.call(`${SEARCH}?official=false&category=game`)).to.include({ total: 1 })
    expect(await market.call(`${SEARCH}?category=util`)).to.include({ total: 21 })
  })

  it('returns the details of a package with raw or encoded scope', async () => {
    const { data, status } = await market.call(`${DETAIL}/mynah-plugin-dice`)
    expect(status).to.equal(200)
    expect(data).to.deep.equal({
      name: 'mynah-plugin-dice',
      displayName: 'Dice',
      version: '1.0.0-rc.1',
      description: 'does mynah-plugin-dice',
      readme: '# mynah-plugin-dice',
      license: 'MIT',
      homepage: 'https://dice.example',
      repository: 'https://code.example/dice',
      author: 'Bob',
      keywords: ['fun', 'mynah-plugin', 'Game', 'tool'],
      engines: { node: '>=20' },
      peerDependencies: { mynah: '^1' },
      downloads: { weekly: 0, monthly: 0 },
      versions: ['1.0.0-rc.1'],
      publishedAt: Date.parse('2026-02-03T04:05:06.789Z'),
      isOfficial: false,
      category: 'game',
      installed: '0.9.0',
    } satisfies MarketplaceDetail)
    for (const name of ['@mynah/plugin-irc', '@mynah%2fplugin-irc', '@mynah%2Fplugin-irc', '%40mynah%2Fplugin-irc']) {
      expect((await market.call(`${DETAIL}/${name}`)).data, name).to.deep.include({
        name: '@mynah/plugin-irc',
        isOfficial: true,
        category: 'adapter',
        installed: '1.0.0',
        versions: ['1.2.0', '1.1.0', '1.0.0'],
      })
    }
    expect(market.registry.asked).to.deep.equal(['/mynah-plugin-dice', '/@mynah%2fplugin-irc'])
    expect((await market.call(`${DETAIL}/mynah-plugin-many-1`)).data).not.to.have.property('installed')
  })

  it('answers 404 for unknown packages and sends no request for invalid names', async () => {
    expect(await market.call(`${DETAIL}/mynah-plugin-none`)).to.include({
      status: 404,
      code: 'not_found',
      error: 'There is no package "mynah-plugin-none"',
    })
    const { length } = market.registry.asked
    for (const name of [
      '..%2f..%2fetc',
      '@a/b/c',
      '-%2fv1%2fsearch',
      '.hidden',
      'a%3fb',
      'a%23b',
      '%00',
      '@scope',
      'UPPER',
      'a b',
      '%2f%2fevil.example%2fx',
      'x'.repeat(215),
    ]) {
      expect((await market.call(`${DETAIL}/${name}`)).status, name).to.be.oneOf([400, 404])
    }
    expect(market.registry.asked).to.have.length(length)
  })

  it('finds newer versions of installed packages', async () => {
    const { data, status } = await market.call('/api/marketplace/updates')
    expect(status).to.equal(200)
    expect(data).to.deep.equal([
      { name: '@mynah/plugin-irc', current: '1.0.0', latest: '1.2.0', description: 'does @mynah/plugin-irc' },
      { name: 'mynah-plugin-dice', current: '0.9.0', latest: '1.0.0-rc.1', description: 'does mynah-plugin-dice' },
    ])
  })

  it('orders versions like semver', () => {
    const ascending = [
      '0.9.9',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
      '2.0.0',
    ]
    ascending.forEach((older, index) =>
      ascending.forEach((newer, other) => expect(isNewer(newer, older), `${newer} > ${older}`).to.equal(other > index)),
    )
    expect(isNewer('1.0.0+build.2', '1.0.0+build.1')).to.equal(false)
  })
})
