// The replies of the bot, on any platform.
import { commands, defineCommand, definePlugin, param } from 'mynah'

export default definePlugin({
  name: 'bot',
  setup(ctx) {
    ctx.contribute(
      commands,
      defineCommand({
        name: 'roll',
        description: 'Rolls a die',
        args: { sides: param.integer({ min: 2, max: 1000, default: 6 }) },
        run: ({ args }) => `You rolled ${1 + Math.floor(Math.random() * args.sides)}.`,
      }),
    )
  },
})
