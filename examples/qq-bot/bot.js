// A bot on QQ: throws a die, and welcomes newcomers of a group.
import { At, Chat, commands, defineCommand, definePlugin, noticeReceive, Text } from 'mynah'

export default definePlugin({
  name: 'bot',
  needs: { chat: Chat },
  setup(ctx) {
    ctx.contribute(
      commands,
      defineCommand({
        name: 'dice',
        description: { en: 'Throws a die', 'zh-CN': '掷骰子' },
        run: () => String(1 + Math.floor(Math.random() * 6)),
      }),
    )
    ctx.on(noticeReceive, async ({ kind, adapter, endpoint, channel, target }) => {
      if (kind === 'group-join' && channel && target)
        await ctx.chat.send(adapter, endpoint, channel, [At(target.id), Text(' 欢迎！发送 /help 查看我会做什么。')])
    })
  },
})
