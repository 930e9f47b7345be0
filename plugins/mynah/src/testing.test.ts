import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { commands, defineCommand, definePlugin, HostPaths, param, service, Type } from './index.js'
import { startBot } from './testing.js'

const echo = definePlugin({
  name: 'echo',
  config: { key: 'echo', schema: Type.Object({ mark: Type.String({ minLength: 1, default: '!' }) }, { default: {} }) },
  setup(ctx) {
    ctx.contribute(
      commands,
      defineCommand({
        name: 'echo',
        description: 'Says it again',
        args: { text: param.rest() },
        run: ({ args }) => `${args.text}${ctx.config.mark}`,
      }),
    )
  },
})

describe('startBot', () => {
  it('answers messages one after another and leaves nothing behind', async () => {
    const { say, stop, host } = await startBot([{ plugin: echo, config: { mark: '?' } }])
    expect(await say('/echo one')).to.equal('one?')
    expect(await Promise.all([say('/echo two'), say('/echo three')])).to.have.members(['two?', 'three?'])
    await stop()
    expect(host.residue().effects).to.equal(0)
  })

  it('names the services that a plugin waits for', async () => {
    const shop = definePlugin({
      name: 'shop',
      needs: { database: service('database', { plugin: 'database' }) },
      setup() {},
    })
    const failure = await startBot([shop]).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure)
      .to.be.instanceOf(Error)
      .with.property('message', 'the plugin shop waits for database: no plugin declares it; add "database" to plugins')
  })

  it('reports why a plugin does not start', async () => {
    const failure = await startBot([{ plugin: echo, config: { mark: '' } }]).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).to.be.instanceOf(Error).with.property('message').that.contains('echo.mark')
  })

  it('has a folder of its own, which it removes', async () => {
    const { host, folder, stop } = await startBot([echo])
    expect(host.get(HostPaths)).to.deep.equal({ root: folder, data: join(folder, 'data') })
    expect(folder).not.to.contain(process.cwd())
    await stop()
    expect(existsSync(folder)).to.equal(false)
  })

  it('keeps a folder that the test names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-named-'))
    const bot = await startBot([echo], { folder })
    expect(bot.folder).to.equal(folder)
    await bot.stop()
    expect(existsSync(folder)).to.equal(true)
    await rm(folder, { recursive: true })
  })
})
