// Notes that a chat keeps: `/note add`, `/note list`, `/note remove`. Shows the two stores that need no table.
import { commands, defineCommand, definePlugin, param } from 'mynah'
import { Database } from '@mynah/plugin-database/api'

const LIMIT = 'notes.limit'
const MAX_LENGTH = 500

export default definePlugin({
  name: 'notes',
  description: 'Notes that a chat keeps',
  needs: { database: Database },
  async setup(ctx) {
    const notes = ctx.database.documents('notes')
    const settings = ctx.database.kv('settings')
    // Written once, so that the console's database page shows what can be changed.
    if ((await settings.get(LIMIT)) === undefined) await settings.set(LIMIT, 10)

    const chatOf = ({ adapter, endpoint, channel }) => `${adapter}/${endpoint}/${channel.type}/${channel.id}`
    const notesOf = (message) => notes.find({ where: { chat: chatOf(message) } })

    ctx.contribute(
      commands,
      defineCommand({
        name: 'note add',
        description: 'Keeps a note',
        args: { text: param.rest() },
        examples: ['note add buy milk'],
        async run({ args, message }) {
          if (args.text.length > MAX_LENGTH) return `A note has at most ${MAX_LENGTH} characters.`
          await notes.add({
            chat: chatOf(message),
            text: args.text,
            author: message.sender.name ?? message.sender.id,
            created: message.timestamp,
          })
          return `Noted: ${args.text}`
        },
      }),
    )

    ctx.contribute(
      commands,
      defineCommand({
        name: 'note list',
        description: 'Shows the newest notes',
        async run({ message }) {
          const all = await notesOf(message)
          if (all.length === 0) return 'There are no notes here.'
          const limit = Math.max(1, Number(await settings.get(LIMIT)) || 10)
          const lines = all.map(({ text, author }, index) => `${index + 1}. ${text} (${author})`).slice(-limit)
          const hidden = all.length - lines.length
          return [...(hidden ? [`${hidden} older ones are not shown.`] : []), ...lines].join('\n')
        },
      }),
    )

    ctx.contribute(
      commands,
      defineCommand({
        name: 'note remove',
        description: 'Removes the note of that number',
        args: { number: param.integer({ min: 1 }) },
        async run({ args, message }) {
          const note = (await notesOf(message))[args.number - 1]
          if (!note) return `There is no note ${args.number}.`
          await notes.remove(note.id)
          return `Removed: ${note.text}`
        },
      }),
    )
  },
})
