// A bot in ten lines: `npm start`, then send /hello in the sandbox.
import { commands, defineCommand, definePlugin, param } from 'mynah'

export default definePlugin({
  name: 'bot',
  setup(ctx) {
    ctx.contribute(
      commands,
      defineCommand({
        name: 'hello',
        description: 'Greets someone',
        args: { name: param.rest({ default: 'world' }) },
        run: ({ args }) => `Hello, ${args.name}!`,
      }),
    )
  },
})
