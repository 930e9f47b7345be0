// A bot that answers mail: /ticket takes a problem, and /tickets lists those of the sender.
import { commands, defineCommand, definePlugin, param } from 'mynah'

export default definePlugin({
  name: 'bot',
  setup(ctx) {
    const tickets = ctx.keep('tickets', () => [])
    ctx.contribute(
      commands,
      defineCommand({
        name: 'ticket',
        description: 'Takes a problem',
        args: { problem: param.rest() },
        run: ({ args, message }) => {
          tickets.push({ sender: message.sender.id, problem: args.problem })
          return `Ticket ${tickets.length} is open. Answer to this mail to add something.`
        },
      }),
    )
    ctx.contribute(
      commands,
      defineCommand({
        name: 'tickets',
        description: 'Lists your tickets',
        run: ({ message }) =>
          tickets
            .flatMap(({ sender, problem }, index) => (sender === message.sender.id ? [`${index + 1}. ${problem}`] : []))
            .join('\n') || 'You have no tickets',
      }),
    )
  },
})
