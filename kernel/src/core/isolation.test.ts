import { expect } from 'chai'
import { Type } from 'typebox'
import { definePlugin, point } from '../index.js'
import { assertNoResidue, running, viewOf } from '../test/support.js'

const things = point<string>({ id: 'things', key: (text) => text })

describe('a section', () => {
  afterEach(assertNoResidue)

  it('is deeply frozen for check, setup and update', async () => {
    const seen: unknown[] = []
    const schema = Type.Object({
      list: Type.Array(Type.Object({ n: Type.Integer() }), { default: [{ n: 1 }] }),
      deep: Type.Object({ text: Type.String({ default: 'x' }) }, { default: {} }),
    })
    const plugin = definePlugin({
      name: 'p',
      config: {
        key: 'p',
        schema,
        check: (config) => {
          seen.push(config)
          return []
        },
      },
      setup(ctx) {
        seen.push(ctx.config)
        return {
          update(next, previous) {
            seen.push(next, previous)
            return true
          },
        }
      },
    })
    const written = { list: [{ n: 3 }] }
    const { host } = await running([{ plugin, config: written }])
    await host.update('p', { deep: { text: 'y' } })
    expect(seen.length).to.be.at.least(5)
    for (const config of seen as { list: object[]; deep: object }[])
      for (const part of [config, config.list, ...config.list, config.deep]) expect(part).to.be.frozen
    expect(written).not.to.be.frozen
    expect(written.list[0]).not.to.be.frozen
  })

  it('keeps values that are not plain objects as they are', async () => {
    const agent = new (class Agent {
      connections = 0
    })()
    let given: unknown
    const plugin = definePlugin({
      name: 'p',
      config: { key: 'p', schema: Type.Object({ agent: Type.Unknown() }) },
      setup(ctx) {
        given = ctx.config.agent
      },
    })
    await running([{ plugin, config: { agent } }])
    expect(given).to.equal(agent).and.not.to.be.frozen
  })
})

describe('a view', () => {
  afterEach(assertNoResidue)

  it('is a copy that may be changed', async () => {
    const origin = { url: 'file:///p.js', filename: 'p.js', filePath: 'p.js' }
    const { host } = await running([
      {
        plugin: definePlugin({
          name: 'p',
          setup(ctx) {
            ctx.contribute(things, 'a')
            ctx.keep('k', () => 1)
          },
        }),
        origin,
      },
    ])
    host.report('p', new Error('noted'))
    const before = JSON.stringify(host.inspect())
    const view = viewOf(host, 'p') as unknown as Record<string, object[]> & { origin: { url: string } }
    const [error, contribution] = [view['errors']?.[0], view['contributions']?.[0]] as [
      { message: string },
      { key: string; description: { name: string } },
    ]
    error.message = contribution.key = contribution.description.name = view.origin.url = 'changed'
    for (const list of [
      'errors',
      'contributions',
      'effects',
      'reasons',
      'keptKeys',
      'provides',
      'requires',
      'claims',
      'waitingFor',
    ])
      view[list]?.splice(0)
    expect(JSON.stringify(host.inspect())).to.equal(before)
  })
})
