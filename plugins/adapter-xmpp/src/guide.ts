/** Steps to create the account on XMPP. */
export const guide = {
  en: [
    '1. Register an account for the bot on an XMPP server, with a client such as Gajim or Conversations, or as its ' +
      'administrator: `prosodyctl adduser mynah@example.org` or `ejabberdctl register mynah example.org <password>`.',
    '2. Enter its address as `jid`, and its password.',
    '3. Enter the addresses of rooms to join. The bot needs the role *participant* to speak, *moderator* to remove users.',
    '4. So that your own rights hold in a room, it must show the addresses of its users ' +
      '(`muc#roomconfig_whois`: anyone). Enter your address, such as `alice@example.org`, as `master`.',
  ].join('\n'),
  'zh-CN': [
    '1. 在 XMPP 服务器上为机器人注册账号:使用 Gajim、Conversations 等客户端,或由管理员执行 ' +
      '`prosodyctl adduser mynah@example.org` 或 `ejabberdctl register mynah example.org <密码>`。',
    '2. 在 `jid` 中填写其地址,并填写密码。',
    '3. 填写要加入的房间地址。机器人需要 *participant* 角色才能发言,需要 *moderator* 角色才能移除用户。',
    '4. 若要让您的权限在房间中生效,房间必须公开用户地址(`muc#roomconfig_whois`:anyone)。' +
      '在 `master` 中填写您的地址,例如 `alice@example.org`。',
  ].join('\n'),
}
