/** Steps on Discord for a new account. */
export const guide = {
  en: [
    '1. Create an application in the [Developer Portal](https://discord.com/developers/applications), open its page ' +
      '**Bot**, press **Reset Token**, and enter the token here.',
    '2. On the same page switch on **Message Content Intent**. Without it the bot reads only messages that mention it, ' +
      'and private ones.',
    '3. Open **OAuth2**, **URL Generator**. Choose the scopes `bot` and `applications.commands`, and the permissions ' +
      '**View Channels**, **Send Messages**, **Send Messages in Threads**, **Embed Links**, **Attach Files**, ' +
      '**Read Message History** and **Add Reactions**. Open the address and add the bot to your server.',
    '4. Switch on **Developer Mode** in the settings of Discord, copy your own user id, and enter it as `master`.',
  ].join('\n'),
  'zh-CN': [
    '1. 在[开发者平台](https://discord.com/developers/applications)新建一个应用，打开 **Bot** 页面，点击 **Reset Token**，' +
      '把得到的 token 填在这里。',
    '2. 在同一页面打开 **Message Content Intent**。否则机器人只能读到提及它的消息和私信。',
    '3. 打开 **OAuth2** 的 **URL Generator**，勾选 `bot` 与 `applications.commands`，以及权限 **View Channels**、' +
      '**Send Messages**、**Send Messages in Threads**、**Embed Links**、**Attach Files**、**Read Message History** 和 ' +
      '**Add Reactions**。打开生成的地址，把机器人加入你的服务器。',
    '4. 在 Discord 设置中打开**开发者模式**，复制你自己的用户 ID，填写为 `master`。',
  ].join('\n'),
} as const
