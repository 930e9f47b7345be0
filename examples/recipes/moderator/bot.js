// Warns people who post links to a group, and tells the owner at the third time.
import { Chat, definePlugin, middlewares, Type } from 'mynah'

/** People remembered, so that a busy group does not fill the memory. */
const KEPT = 5_000

export default definePlugin({
  name: 'moderator',
  config: {
    key: 'moderator',
    schema: Type.Object(
      {
        allowed: Type.Array(Type.String(), { default: [], description: 'Hosts that links may lead to' }),
        strikes: Type.Integer({ minimum: 1, default: 3, description: 'Links until the owner is notified' }),
      },
      { additionalProperties: false, default: {} },
    ),
  },
  needs: { chat: Chat },
  setup(ctx) {
    const strikes = new Map()
    const { allowed, strikes: limit } = ctx.config

    ctx.contribute(middlewares, {
      name: 'moderator',
      // Before all others, so that nothing answers a message with a link.
      priority: 100,
      async handle(message, next) {
        const links = message.text.match(/https?:\/\/[^\s/]{1,253}/g) ?? []
        const isForbidden = links.some((link) => !allowed.includes(new URL(link).hostname))
        if (message.channel.type !== 'group' || !isForbidden || message.roles.has('trusted')) return next()
        const { id, name } = message.sender
        const count = (strikes.get(id) ?? 0) + 1
        strikes.set(id, count)
        if (strikes.size > KEPT) strikes.delete(strikes.keys().next().value)
        await message.$reply(`${name ?? id}, please post no links here (${count} of ${limit}).`)
        const owner = ctx.chat.ownerChannel()
        if (count === limit && owner)
          await ctx.chat.send(owner.adapter, owner.endpoint, owner.channel, `${name ?? id} posted ${count} links.`)
      },
    })
  },
})
