/** Steps on Lark for a new account. */
export const guide = {
  en: `1. Create a custom app in the [Developer Console](https://open.larksuite.com/app) (Feishu: [open.feishu.cn](https://open.feishu.cn/app)), and add the feature **Bot**.
2. Copy **App ID** and **App Secret** from **Credentials & Basic Info**, and enter them here.
3. On **Permissions & Scopes** grant \`im:message\`, \`im:message.group_msg\` (to read messages that do not mention the bot), \`im:resource\`, \`im:chat:readonly\` and \`im:message.reactions:read\`.
4. On **Events & Callbacks** choose **persistent connection** for events and callbacks. Add the events \`im.message.receive_v1\`, \`im.message.recalled_v1\`, \`im.message.reaction.created_v1\`, \`im.message.reaction.deleted_v1\` and the callback \`card.action.trigger\`. Lark saves this only while the endpoint is online.
5. Publish a version, and add the bot to a group.`,
  'zh-CN': `1. 在[开发者后台](https://open.feishu.cn/app)创建企业自建应用，添加**机器人**能力。
2. 从**凭证与基础信息**复制 **App ID** 和 **App Secret**，填在这里。
3. 在**权限管理**开通 \`im:message\`、\`im:message.group_msg\`（读取未提及机器人的消息）、\`im:resource\`、\`im:chat:readonly\` 和 \`im:message.reactions:read\`。
4. 在**事件与回调**中，事件和回调都选择**长连接**，添加事件 \`im.message.receive_v1\`、\`im.message.recalled_v1\`、\`im.message.reaction.created_v1\`、\`im.message.reaction.deleted_v1\` 和回调 \`card.action.trigger\`。接入点在线时飞书才能保存这项设置。
5. 发布版本，把机器人加入群聊。`,
} as const
