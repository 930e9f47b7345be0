import { expect } from 'chai'
import { changed, definePlugin, point, type Context, type Delta, type Reader } from '../index.js'
import { assertNoResidue, failureOf, running, viewOf } from '../test/support.js'

interface Command {
  readonly name: string
  readonly help?: string
}
const commands = point<Command>({
  id: 'commands',
  key: ({ name }) => name,
  describe: ({ name, help }) => ({ name: `/${name}`, ...(help ? { description: help } : {}) }),
})

const giver = (name: string, ...names: string[]) =>
  definePlugin({
    name,
    setup(ctx) {
      for (const command of names) ctx.contribute(commands, { name: command })
    },
  })

describe('Registry', () => {
  let reader: Reader<Command>
  let deltas: Delta<Command>[]
  const reading = definePlugin({
    name: 'reader',
    setup(ctx) {
      reader = ctx.read(commands)
      deltas = []
      reader.watch((delta) => void deltas.push(delta))
    },
  })
  afterEach(assertNoResidue)

  it('lists contributions by the place of their plugins, then in the order of contributing', async () => {
    const { host } = await running([reading, giver('a', 'a1', 'a2'), giver('b', 'b1')])
    await host.enable('a', false)
    await host.enable('a', true)
    expect(reader.all().map(({ key }) => key)).to.deep.equal(['a1', 'a2', 'b1'])
    expect(reader.get('b1')).to.deep.include({ owner: 'b', point: 'commands', description: { name: '/b1' } })
    expect(reader.get('none')).to.equal(undefined)
  })

  it('refuses a key that is taken, names both owners and keeps the first', async () => {
    const { host } = await running([reading, giver('a', 'same'), giver('b', 'other', 'same')])
    expect(viewOf(host, 'b')).to.deep.include({ state: 'failed' })
    expect(viewOf(host, 'b').error).to.include({
      code: 'contribution/duplicate',
      message: 'b contributes "same" to commands, which a has contributed already',
    })
    expect(reader.all().map(({ key }) => key)).to.deep.equal(['same'])
  })

  it('notifies watchers of what was added and removed, with an increasing revision', async () => {
    const { host } = await running([reading])
    await host.add({ plugin: giver('a', 'x', 'y') })
    await host.remove('a')
    expect(
      deltas.map(({ added, removed }) => [added.map(({ key }) => key), removed.map(({ key }) => key)]),
    ).to.deep.equal([
      [['x'], []],
      [['y'], []],
      [[], ['y']],
      [[], ['x']],
    ])
    const revisions = deltas.map(({ revision }) => revision)
    expect(revisions).to.deep.equal([1, 2, 3, 4].map((n) => n + (revisions[0] as number) - 1))
    expect(reader.revision).to.equal(revisions.at(-1))
  })

  it('reports a failing watcher to its owner and notifies the others', async () => {
    const bad = definePlugin({
      name: 'bad',
      setup(ctx) {
        ctx.read(commands).watch(() => {
          throw new Error('boom')
        })
        ctx.read(commands).watch(() => Promise.reject(new Error('later')))
      },
    })
    const { host } = await running([bad, reading])
    await host.add({ plugin: giver('a', 'x') })
    expect(deltas).to.have.length(1)
    expect(viewOf(host, 'bad').errors.map(({ message }) => message)).to.deep.equal(['boom', 'later'])
  })

  it('notifies every watcher of changes in their order, also of those made by watchers', async () => {
    const echo = definePlugin({
      name: 'echo',
      setup(ctx) {
        ctx.read(commands).watch(({ added }) => {
          for (const { key } of added) if (!key.startsWith('echo')) ctx.contribute(commands, { name: `echo ${key}` })
        })
      },
    })
    const { host } = await running([echo, reading])
    await host.add({ plugin: giver('a', 'x') })
    expect(deltas.map(({ added }) => added.map(({ key }) => key))).to.deep.equal([['x'], ['echo x']])
  })

  it('removes a contribution early, once', async () => {
    let kept: Context | undefined
    const { host } = await running([
      reading,
      definePlugin({
        name: 'a',
        setup(ctx) {
          kept = ctx
        },
      }),
    ])
    const undo = (kept as Context).contribute(commands, { name: 'x' })
    undo()
    undo()
    expect(deltas).to.have.length(2)
    expect(viewOf(host, 'a').effects).to.deep.equal([])
  })

  it('sorts again when the order of the configuration changes', async () => {
    const [a, b] = [giver('a', 'a1'), giver('b', 'b1')]
    const { host } = await running([reading, a, b])
    expect(reader.all().map(({ key }) => key)).to.deep.equal(['a1', 'b1'])
    const before = reader.revision
    const { restarted } = await host.configure([{ plugin: reading }, { plugin: b }, { plugin: a }])
    expect(restarted).to.deep.equal([])
    expect(reader.all().map(({ key }) => key)).to.deep.equal(['b1', 'a1'])
    expect(reader.revision).to.equal(before + 1)
    expect(deltas.at(-1)).to.deep.include({ added: [], removed: [] })
  })

  it('emits kernel.changed for contributions', async () => {
    const seen: unknown[] = []
    const listening = definePlugin({
      name: 'listening',
      setup(ctx) {
        ctx.on(changed, (change) => void seen.push(`${change.plugin} ${change.what}`))
      },
    })
    const { host } = await running([listening])
    await host.add({ plugin: giver('a', 'x') })
    expect(seen).to.deep.equal(['listening state', 'a state', 'a contributions', 'a state'])
  })

  it('keeps contributions that no plugin reads, and why() says so', async () => {
    const { host } = await running([giver('a', 'x', 'y')])
    expect(host.why('a')).to.equal('a is active\n  no plugin reads commands, to which it contributes x, y')
    await host.add({ plugin: reading })
    expect(reader.all()).to.have.length(2)
    expect(host.why('a')).to.equal('a is active')
  })

  it('refuses a value whose key or description throws, and keeps nothing of it', async () => {
    const odd = point<Command>({
      id: 'odd',
      key: ({ name }) => name,
      describe: () => {
        throw new Error('no words')
      },
    })
    const { host } = await running([
      definePlugin({
        name: 'a',
        setup: async (ctx) => {
          expect((await failureOf(() => ctx.contribute(odd, { name: 'x' }))).message).to.equal('no words')
        },
      }),
    ])
    expect(viewOf(host, 'a').state).to.equal('active')
    expect(host.residue().contributions).to.equal(0)
  })
})
