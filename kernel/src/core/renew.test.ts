import { expect } from 'chai'
import { Type } from 'typebox'
import { definePlugin, ifEnabled, NotReady, service, type AnyPlugin, type Host } from '../index.js'
import { assertNoResidue, running, states, viewOf } from '../test/support.js'

const Words = service<{ word(): string }>('words')
const Other = service<object>('other')

describe('Host.renew', () => {
  let log: string[]
  beforeEach(() => {
    log = []
  })
  afterEach(assertNoResidue)

  /** Code of the plugin `words`, which notes its starts and stops. */
  const words = (word: string, more: Partial<AnyPlugin> = {}): AnyPlugin =>
    definePlugin({
      name: 'words',
      provides: [Words],
      setup(ctx) {
        log.push(`${word} up`)
        ctx.onDispose('down', () => void log.push(`${word} down`))
        ctx.provide(Words, { word: () => word })
      },
      ...(more as object),
    })
  const asks = definePlugin({
    name: 'asks',
    needs: { words: Words },
    setup(ctx) {
      log.push(`asks ${ctx.words.word()}`)
      ctx.onDispose('down', () => void log.push(`asks no more ${ctx.words.word()}`))
    },
  })
  const failing = (): AnyPlugin =>
    words('bad', {
      setup() {
        throw new Error('boom')
      },
    })
  const renew = (host: Host, plugin: AnyPlugin) => host.renew({ plugin })

  it('stops consumers first, replaces the code, and starts them again; others run on', async () => {
    const beside = definePlugin({ name: 'beside', setup: (ctx) => void ctx.onDispose('x', () => log.push('beside')) })
    const { host } = await running([words('one'), asks, beside])
    expect(await renew(host, words('two'))).to.deep.equal({ state: 'renewed' })
    expect(log).to.deep.equal(['one up', 'asks one', 'asks no more one', 'one down', 'two up', 'asks two'])
    expect(host.get(Words)?.word()).to.equal('two')
    expect(states(host)).to.deep.equal({ words: 'active', asks: 'active', beside: 'active' })
  })

  it('puts the code before back where the new one does not start, and says why', async () => {
    const { host } = await running([words('one'), asks])
    const result = await renew(host, failing())
    expect(result).to.have.property('state', 'rolled-back')
    expect(result).to.have.nested.property('error.message', 'boom')
    expect(host.get(Words)?.word()).to.equal('one')
    expect(states(host)).to.deep.equal({ words: 'active', asks: 'active' })
    expect(await renew(host, words('two'))).to.deep.equal({ state: 'renewed' })
  })

  it('puts the section before back together with the code', async () => {
    const of = (key: string, setup: (config: { n: number }) => void): AnyPlugin =>
      definePlugin({
        name: 'counted',
        config: { key, schema: Type.Object({ n: Type.Integer({ default: 0 }) }) },
        setup: (ctx) => setup(ctx.config),
      })
    const seen: number[] = []
    const good = of('counted', ({ n }) => void seen.push(n))
    const { host } = await running([{ plugin: good, config: { n: 1 } }])
    const bad = of('counted', () => {
      throw new Error('boom')
    })
    expect(await host.renew({ plugin: bad, config: { n: 2 } })).to.have.property('state', 'rolled-back')
    expect(seen).to.deep.equal([1, 1])
    expect(await host.update('counted', { n: 3 })).to.equal('restarted')
    expect(seen).to.deep.equal([1, 1, 3])
  })

  it('refuses code whose section is invalid, or that conflicts with another plugin, and stops nothing', async () => {
    const other = definePlugin({
      name: 'other',
      provides: [Other],
      needs: { words: Words },
      setup: (ctx) => void ctx.provide(Other, {}),
    })
    const { host } = await running([words('one'), other])
    const strict = words('two', { config: { key: 'words', schema: Type.Object({ n: Type.Integer() }) } })
    const invalid = await host.renew({ plugin: strict, config: { n: 'x' } })
    expect(invalid).to.have.nested.property('error.code', 'config/invalid')
    const twice = words('two', { provides: [Words, Other] })
    expect(await renew(host, twice)).to.have.nested.property('error.code', 'need/duplicate-provider')
    const cyclic = words('two', { needs: { other: Other } })
    expect(await renew(host, cyclic)).to.have.nested.property('error.code', 'need/cycle')
    expect(log).to.deep.equal(['one up'])
    expect(states(host)).to.deep.equal({ words: 'active', other: 'active' })
  })

  it('lets others go on without a service that the new code does not provide any more', async () => {
    const free = definePlugin({
      name: 'free',
      needs: { words: ifEnabled(Words) },
      setup: (ctx) => void log.push(`free ${ctx.words?.word() ?? 'without'}`),
    })
    const { host } = await running([words('one'), asks, free])
    const silent = definePlugin({ name: 'words' })
    expect(await renew(host, silent)).to.deep.equal({ state: 'renewed' })
    expect(states(host)).to.deep.equal({ words: 'active', asks: 'pending', free: 'active' })
    expect(log.at(-1)).to.equal('free without')
    expect(await renew(host, words('two'))).to.deep.equal({ state: 'renewed' })
    expect(states(host)).to.deep.equal({ words: 'active', asks: 'active', free: 'active' })
    expect(log).to.include('free two')
  })

  it('puts the services before back where code that provides others does not start', async () => {
    const { host } = await running([words('one'), asks])
    const other = definePlugin({
      name: 'words',
      provides: [Other],
      setup() {
        throw new Error('boom')
      },
    })
    expect(await renew(host, other)).to.have.property('state', 'rolled-back')
    expect(states(host)).to.deep.equal({ words: 'active', asks: 'active' })
  })

  it('replaces code that has failed, and code of a disabled plugin', async () => {
    const { host } = await running([failing(), { plugin: asks, enabled: false }])
    expect(await renew(host, failing())).to.have.property('state', 'failed')
    expect(await renew(host, words('two'))).to.deep.equal({ state: 'renewed' })
    expect(await renew(host, { ...asks })).to.deep.equal({ state: 'renewed' })
    expect(states(host)).to.deep.equal({ words: 'active', asks: 'disabled' })
  })

  it('waits for what the new code waits for', async () => {
    const { host } = await running([words('one')])
    const late = words('two', {
      setup() {
        throw new NotReady('the peer is silent')
      },
    })
    expect(await renew(host, late)).to.have.nested.property('error.message', 'the peer is silent')
    expect(viewOf(host, 'words')).to.have.property('retryAt')
    expect(await renew(host, words('three'))).to.deep.equal({ state: 'renewed' })
  })

  it('rejects for a plugin that the host does not have', async () => {
    const { host } = await running([])
    const error: unknown = await renew(host, words('one')).catch((thrown: unknown) => thrown)
    expect(error).to.have.property('code', 'host/unknown-plugin')
  })
})
