// A bot in XMPP rooms: keeps a list of what is to be done for each room.
import { commands, defineCommand, definePlugin, param } from 'mynah'

export default definePlugin({
  name: 'xmpp-bot',
  setup(ctx) {
    const lists = new Map()
    const listOf = (message) => {
      if (!lists.has(message.channel.id)) lists.set(message.channel.id, [])
      return lists.get(message.channel.id)
    }
    const shown = (list) =>
      list.length ? list.map((task, index) => `${index + 1}. ${task}`).join('\n') : 'Nothing is to be done'

    ctx.contribute(
      commands,
      defineCommand({
        name: 'todo',
        description: 'Adds to the list, or shows it',
        args: { task: param.rest({ default: '' }) },
        examples: ['!todo buy tea'],
        run({ args, message }) {
          const list = listOf(message)
          if (args.task !== '') list.push(args.task)
          return shown(list)
        },
      }),
    )

    ctx.contribute(
      commands,
      defineCommand({
        name: 'done',
        description: 'Removes from the list',
        args: { number: param.integer({ min: 1 }) },
        examples: ['!done 1'],
        run({ args, message }) {
          const list = listOf(message)
          list.splice(args.number - 1, 1)
          return shown(list)
        },
      }),
    )
  },
})
