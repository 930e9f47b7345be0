// A bot on DingTalk: /lunch collects what people want to eat, /order lists it.
import { commands, defineCommand, definePlugin, param } from 'mynah'

export default definePlugin({
  name: 'bot',
  setup(ctx) {
    const wishes = ctx.keep('wishes', () => new Map())
    ctx.contribute(
      commands,
      defineCommand({
        name: 'lunch',
        description: 'Notes what you want to eat',
        args: { dish: param.rest({ default: 'noodles' }) },
        run: ({ args, message }) => {
          wishes.set(message.sender.name ?? message.sender.id, args.dish)
          return `Noted: ${args.dish}`
        },
      }),
    )
    ctx.contribute(
      commands,
      defineCommand({
        name: 'order',
        description: 'Lists what everybody wants to eat',
        run: () => {
          const lines = [...wishes].map(([name, dish]) => `${name}: ${dish}`)
          wishes.clear()
          return lines.join('\n') || 'There are no orders'
        },
      }),
    )
  },
})
