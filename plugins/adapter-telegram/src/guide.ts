/** Steps on the platform, shown above the form for a new account. */
export const guide = {
  en: `1. Write to [@BotFather](https://t.me/BotFather): \`/newbot\`, then a name, then a user name that ends with \`bot\`. Enter the token that it shows.
2. In groups a bot sees only commands and mentions. \`/setprivacy\` at @BotFather switches that off.
3. Enter your own number as \`master\`. The page *Inbox* shows it as the sender, once you have written to the bot.`,
  'zh-CN': `1. 向 [@BotFather](https://t.me/BotFather) 发送 \`/newbot\`，再发送名称和以 \`bot\` 结尾的用户名，把得到的 token 填在这里。
2. 在群组中，机器人默认只能看到命令和提及。用 @BotFather 的 \`/setprivacy\` 可以关闭这一限制。
3. 在 \`master\` 中填写你自己的号码。给机器人发过消息后，“收件箱”页面会把它显示为发送者。`,
} as const
