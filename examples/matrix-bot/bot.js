// A bot in Matrix rooms: asks a question and counts the reactions to it.
import { commands, defineCommand, definePlugin, param, reactionReceive } from 'mynah'

export default definePlugin({
  name: 'matrix-bot',
  setup(ctx) {
    /** The last question of each channel, with its votes: who gave which emoji. */
    const polls = new Map()

    ctx.contribute(
      commands,
      defineCommand({
        name: 'ask',
        description: 'Asks a question that is answered with reactions',
        args: { question: param.rest() },
        examples: ['!ask Tea or coffee?'],
        async run({ args, message }) {
          const { messageId } = await message.$reply(args.question)
          polls.set(message.channel.id, { messageId, question: args.question, votes: new Set() })
        },
      }),
    )

    ctx.contribute(
      commands,
      defineCommand({
        name: 'votes',
        description: 'Counts the reactions to the last question',
        run({ message }) {
          const poll = polls.get(message.channel.id)
          if (!poll) return 'Nothing was asked here yet'
          const counts = new Map()
          for (const vote of poll.votes) {
            const emoji = vote.split(' ')[0]
            counts.set(emoji, (counts.get(emoji) ?? 0) + 1)
          }
          const lines = [...counts].sort(([, a], [, b]) => b - a).map(([emoji, count]) => `${emoji} ${count}`)
          return [poll.question, ...(lines.length ? lines : ['No votes yet'])].join('\n')
        },
      }),
    )

    ctx.on(reactionReceive, ({ messageId, channel, sender, emoji, added }) => {
      const poll = polls.get(channel.id)
      if (poll?.messageId !== messageId) return
      if (added) poll.votes.add(`${emoji} ${sender.id}`)
      else poll.votes.delete(`${emoji} ${sender.id}`)
    })
  },
})
