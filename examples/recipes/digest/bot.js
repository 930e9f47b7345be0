// Tells the owner every morning what was said in groups since yesterday, and anyone at /digest.
import { Chat, commands, defineCommand, definePlugin, middlewares, Type } from 'mynah'
import { memoryTasks } from '@mynah/plugin-cron/api'

const DAY_MS = 86_400_000
const LINES = 500

export default definePlugin({
  name: 'digest',
  config: {
    key: 'digest',
    schema: Type.Object(
      { at: Type.String({ default: '0 8 * * *', description: 'When the owner gets it, as a cron expression' }) },
      { additionalProperties: false, default: {} },
    ),
  },
  needs: { chat: Chat },
  setup(ctx) {
    let lines = []

    ctx.contribute(middlewares, {
      name: 'digest',
      handle(message, next) {
        if (message.channel.type === 'group' && !message.text.startsWith(ctx.chat.commandPrefix))
          lines = [...lines, { at: message.timestamp, who: message.sender.name, text: message.text }].slice(-LINES)
        return next()
      },
    })

    function digest() {
      const since = lines.filter(({ at }) => at > ctx.clock.now() - DAY_MS)
      const counts = new Map()
      for (const { who } of since) counts.set(who, (counts.get(who) ?? 0) + 1)
      const people = [...counts].map(([who, count]) => `${who}: ${count}`).join(', ')
      const [longest] = since.toSorted((a, b) => b.text.length - a.text.length)
      return longest
        ? `${since.length} messages (${people}). The longest: "${longest.text.slice(0, 200)}"`
        : 'Nothing was said.'
    }

    ctx.contribute(commands, defineCommand({ name: 'digest', description: 'Counts what was said today', run: digest }))
    ctx.contribute(memoryTasks, {
      id: 'digest.morning',
      expression: ctx.config.at,
      async run() {
        const owner = ctx.chat.ownerChannel()
        if (owner) await ctx.chat.send(owner.adapter, owner.endpoint, owner.channel, digest())
      },
    })
  },
})
