import { expect } from 'chai'
import { definePlugin, service, type AnyPlugin, type Service } from '../index.js'
import { assertNoResidue, running, states, viewOf } from '../test/support.js'

const token = (name: string): Service<object> => service<object>(name)
const link = (name: string, needs: readonly string[]): AnyPlugin =>
  definePlugin({
    name,
    provides: [token(name)],
    needs: Object.fromEntries(needs.map((need) => [`on${need}`, token(need)])),
    setup(ctx) {
      ctx.provide(token(name), {})
    },
  })

describe('Graph of very many plugins', function () {
  this.timeout(30_000)
  afterEach(assertNoResidue)

  it('accepts another plugin, for any needs', async () => {
    // Each needs the ten before it: ten thousand arrows and no cycle. To walk all paths would never end.
    const names = Array.from({ length: 1_000 }, (_, index) => `p${index}`)
    const { host } = await running(names.map((name, index) => link(name, names.slice(Math.max(0, index - 10), index))))
    expect(new Set(Object.values(states(host)))).to.deep.equal(new Set(['active']))
    for (let more = 0; more < 10; more++) await host.add({ plugin: link(`more${more}`, ['p999', 'p0']) })
    expect(states(host)['more9']).to.equal('active')
  })

  it('starts and stops a chain as long as the list, the most distant first', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `c${index}`)
    const { host } = await running(names.map((name, index) => link(name, index ? [`c${index - 1}`] : [])).reverse())
    await host.settled()
    expect(new Set(Object.values(states(host)))).to.deep.equal(new Set(['active']))
    await host.enable('c0', false)
    expect(states(host)['c2999']).to.equal('pending')
  })

  it('refuses all plugins of a ring, each with its own path', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `r${index}`)
    const { host } = await running([
      ...names.map((name, index) => link(name, [`r${(index + 1) % 300}`])),
      link('free', []),
      link('leaf', ['r7']),
    ])
    const message = viewOf(host, 'r5').error?.message ?? ''
    expect(message.slice(0, 17)).to.equal('r5 → r6 → r7 → r8')
    expect(message.endsWith('r4 → r5 need each other, so none can start first')).to.equal(true)
    expect([states(host)['free'], states(host)['leaf'], states(host)['r299']]).to.deep.equal([
      'active',
      'pending',
      'failed',
    ])
  })

  it('names the shortest path in two rings that meet', async () => {
    const { host } = await running([
      link('a', ['b']),
      link('b', ['c', 'a']),
      link('c', ['d']),
      link('d', ['b']),
      link('self', ['self']),
    ])
    const ways = ['a', 'b', 'c', 'd', 'self'].map((name) =>
      viewOf(host, name).error?.message.replace(/ need each other.*/, ''),
    )
    expect(ways).to.deep.equal(['a → b → a', 'b → a → b', 'c → d → b → c', 'd → b → c → d', 'self → self'])
  })
})
