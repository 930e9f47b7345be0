/** Steps on the platform, shown above the form for a new account. */
export const guide = {
  en: `1. Install a server of OneBot 11 for the QQ account of the bot, such as [NapCat](https://napneko.github.io) or Lagrange, and log in there.
2. In its network settings add a **WebSocket client** (reverse WebSocket). Address: \`ws://<this host>:8086/webhook/onebot/<id>\`, where \`<id>\` is the id of this endpoint. Message format: \`array\`.
3. Make a token with \`openssl rand -hex 32\`. Write it there and here.
4. The bot reads what its account may read. To kick, mute, recall messages of others and answer requests to join, make the account an administrator of the group. Only the owner of a group can name administrators.

For a server that this host can reach, but not the other way round: add a WebSocket server there, and choose the mode \`forward\`.`,
  'zh-CN': `1. 为机器人的 QQ 账号安装一个 OneBot 11 服务端，例如 [NapCat](https://napneko.github.io) 或 Lagrange，并在其中登录。
2. 在它的网络配置中新建 **WebSocket 客户端**（反向 WebSocket）。地址：\`ws://<本主机>:8086/webhook/onebot/<id>\`，其中 \`<id>\` 是本接入点的 id。消息格式：\`array\`。
3. 用 \`openssl rand -hex 32\` 生成一个 token，两边填写相同的值。
4. 机器人能读到其账号能读到的内容。要踢人、禁言、撤回他人消息、处理加群请求，请把账号设为群管理员。只有群主能任命管理员。

如果只有本主机能访问服务端：在那边新建 WebSocket 服务器，这里选择模式 \`forward\`。`,
} as const
