// A bot in IRC channels: greets newcomers, remembers who was here, keeps count of thanks.
import { Chat, commands, defineCommand, definePlugin, middlewares, noticeReceive, param } from 'mynah'

/** Names remembered, so that a busy network does not fill the memory. */
const KEPT = 5_000

function remember(map, key, value) {
  map.delete(key)
  map.set(key, value)
  if (map.size > KEPT) map.delete(map.keys().next().value)
}

function ago(ms) {
  const format = (amount, unit) =>
    new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-Math.round(amount), unit)
  if (ms < 90_000) return format(ms / 1_000, 'second')
  return ms < 5_400_000 ? format(ms / 60_000, 'minute') : format(ms / 3_600_000, 'hour')
}

export default definePlugin({
  name: 'irc-bot',
  needs: { chat: Chat },
  setup(ctx) {
    const seen = new Map()
    const thanks = new Map()

    ctx.contribute(middlewares, {
      name: 'seen',
      handle(message, next) {
        const [, thanked] = /^(\S{1,64})\+\+$/.exec(message.text) ?? []
        if (thanked && thanked !== message.sender.name) remember(thanks, thanked, (thanks.get(thanked) ?? 0) + 1)
        if (message.channel.type === 'group')
          remember(seen, message.sender.name, { at: message.timestamp, where: message.channel.id })
        return next()
      },
    })

    ctx.contribute(
      commands,
      defineCommand({
        name: 'seen',
        description: 'When a user last said something',
        args: { nick: param.user() },
        examples: ['!seen alice'],
        run: ({ args }) => {
          const last = seen.get(args.nick)
          return last
            ? `${args.nick} said something in ${last.where} ${ago(ctx.clock.now() - last.at)}`
            : `I have not seen ${args.nick}`
        },
      }),
    )

    ctx.contribute(
      commands,
      defineCommand({
        name: 'thanks',
        description: 'The users who were thanked most, by writing nick++',
        run: () =>
          [...thanks]
            .sort(([, a], [, b]) => b - a)
            .slice(0, 5)
            .map(([nick, count]) => `${nick}: ${count}`)
            .join(', ') || 'No one yet',
      }),
    )

    ctx.on(noticeReceive, async ({ kind, adapter, endpoint, channel, target }) => {
      if (kind !== 'group-join' || !channel || !target?.name || seen.has(target.name)) return
      remember(seen, target.name, { at: ctx.clock.now(), where: channel.id })
      await ctx.chat.send(adapter, endpoint, channel, `Welcome, ${target.name}! Say !help to see what I can do.`)
    })
  },
})
