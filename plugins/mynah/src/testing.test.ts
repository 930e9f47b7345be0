import { expect } from 'chai'
import { commands, defineCommand, definePlugin, param, Type } from './index.js'
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

  it('reports why a plugin does not start', async () => {
    const failure = await startBot([{ plugin: echo, config: { mark: '' } }]).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).to.be.instanceOf(Error).with.property('message').that.contains('echo.mark')
  })
})
