import { expect } from 'chai'
import { assertPlugin, createHost, definePlugin, service, type AnyPlugin } from '../index.js'
import { failureOf } from '../test/support.js'

describe('definePlugin', () => {
  const bad: readonly (readonly [string, unknown, string])[] = [
    ['nothing', undefined, 'x: no plugin definition (an object with a name and a setup)'],
    ['a function', () => {}, 'x: no plugin definition (an object with a name and a setup)'],
    ['no name', {}, 'x: the name undefined is not a short name of letters, digits, "-", "_" and "."'],
    [
      'a name with a path',
      { name: '../up' },
      'x: the name "../up" is not a short name of letters, digits, "-", "_" and "."',
    ],
    ['a setup that is no function', { name: 'p', setup: 1 }, 'x: p: setup must be a function'],
    [
      'a need of a reserved name',
      { name: 'p', needs: { log: service('log') } },
      'x: p: a need may not be called "log", which the context has already',
    ],
    [
      'a need that is none',
      { name: 'p', needs: { store: {} } },
      'x: p: the need "store" must be a service, ifEnabled(service) or ref(service)',
    ],
    ['a service that is none', { name: 'p', provides: ['store'] }, 'x: p: provides must list services'],
  ]
  for (const [what, value, message] of bad) {
    it(`refuses a definition with ${what}`, async () => {
      expect(await failureOf(() => assertPlugin(value, 'x'))).to.include({ code: 'plugin/bad-definition', message })
      expect((await failureOf(() => createHost([{ plugin: value as AnyPlugin }]).start())).code).to.equal(
        'plugin/bad-definition',
      )
    })
  }

  it('accepts a name alone, with or without a scope, and freezes the definition', () => {
    for (const name of ['a', 'adapter-irc', 'my.plugin_2', '@scope/name']) expect(definePlugin({ name })).to.be.frozen
  })

  it('refuses needs with the name of a context member', async () => {
    let names: string[] = []
    const host = await createHost([
      {
        plugin: definePlugin({
          name: 'p',
          setup(ctx) {
            names = Object.keys(ctx)
          },
        }),
      },
    ]).start()
    await host.stop()
    expect(names).to.include.members(['log', 'signal', 'keep'])
    for (const name of names)
      expect(() => definePlugin({ name: 'p', needs: { [name]: service('x') } }), name).to.throw(
        `a need may not be called "${name}"`,
      )
  })
})
