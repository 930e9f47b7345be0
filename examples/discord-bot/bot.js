// A bot on Discord: /poll asks a question with buttons, /yes and /no are what they say.
import { Card, commands, defineCommand, definePlugin, param } from 'mynah'

export default definePlugin({
  name: 'bot',
  setup(ctx) {
    const votes = ctx.keep('votes', () => new Map())
    const vote = (name, description) =>
      defineCommand({
        name,
        description,
        run: ({ message }) => {
          votes.set(message.sender.id, name)
          const count = [...votes.values()].filter((other) => other === name).length
          return `${name}: ${count} of ${votes.size}`
        },
      })
    ctx.contribute(commands, vote('yes', 'Votes for it'))
    ctx.contribute(commands, vote('no', 'Votes against it'))
    ctx.contribute(
      commands,
      defineCommand({
        name: 'poll',
        description: 'Asks a question with buttons',
        args: { question: param.rest() },
        run: ({ args }) => {
          votes.clear()
          const buttons = [
            { text: 'Yes', command: '/yes' },
            { text: 'No', command: '/no' },
          ]
          return [Card({ title: 'Poll', text: args.question, buttons })]
        },
      }),
    )
  },
})
