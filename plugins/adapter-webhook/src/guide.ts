/** Steps on the platform, shown above the form for a new account. */
export const guide = {
  en: `1. Make a secret with \`openssl rand -hex 32\`. Enter it here, and let your program sign its requests with it.
2. Your program posts the messages of its users to \`/webhook/chat/<id>\` of this host, where \`<id>\` is the id of this endpoint.
3. Enter the address at which your program takes the answers as \`url\`.`,
  'zh-CN': `1. 用 \`openssl rand -hex 32\` 生成密钥，填在这里，并让你的程序用它为请求签名。
2. 你的程序把用户的消息发送到本主机的 \`/webhook/chat/<id>\`，其中 \`<id>\` 是本接入点的 id。
3. 在 \`url\` 中填写你的程序接收回答的地址。`,
} as const
