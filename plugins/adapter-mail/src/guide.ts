/** Steps on the platform, shown above the form for a new account. */
export const guide = {
  en: `1. Make a mailbox for the bot alone at your provider. It reads every mail in the folder, and answers in the name of this address.
2. Allow **IMAP** and **SMTP** in the settings of the mailbox. With two factors, make an **app password**, and enter it as the password.
3. Enter the addresses of both servers, which the help pages of the provider list.
4. Enter who may write to the bot as \`allow\`: addresses or domains.
5. To have owners and trusted users: open a mail in the mailbox, look at its source, and enter the first word of the header \`Authentication-Results\` as \`authServer\`. Sender addresses can be forged; only those that this server has verified get rights.`,
  'zh-CN': `1. 在服务商处为机器人单独建一个邮箱。它会读取该文件夹中的每封邮件，并以这个地址回信。
2. 在邮箱设置中开启 **IMAP** 和 **SMTP**。若开启了两步验证，请生成**应用专用密码**并填在密码处。
3. 填写两个服务器的地址，服务商的帮助页面会列出它们。
4. 在 \`allow\` 中填写谁可以给机器人写信：地址或域名。
5. 若要设置主人和受信任的用户：打开邮箱中的一封邮件，查看其源代码，把 \`Authentication-Results\` 头的第一个词填入 \`authServer\`。发件人地址可以伪造，只有经该服务器验证的地址才有权限。`,
} as const
