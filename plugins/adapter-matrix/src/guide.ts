/** Steps to create the account on Matrix. */
export const guide = {
  en: [
    '1. Register an account for the bot on your homeserver, for example with Element, and set its display name. ' +
      'An account of Synapse: `register_new_matrix_user -c homeserver.yaml -u mynah -p <password> --no-admin`.',
    '2. Enter the address of the homeserver, `user` and `password`. Sign the bot in nowhere else with `token`: ' +
      'it ends when that client signs out.',
    '3. Enter your own user id, such as `@alice:example.org`, as `master`.',
    '4. Create a room **without encryption** and invite the bot. It accepts invitations of its owner. ' +
      'It needs the power level that `events_default` asks for, which is 0 in most rooms; ' +
      '`kick` (50) to remove members, `redact` (50) to delete messages of others.',
  ].join('\n'),
  'zh-CN': [
    '1. 在您的主服务器上为机器人注册一个账号(例如使用 Element),并设置显示名称。' +
      'Synapse 上的账号:`register_new_matrix_user -c homeserver.yaml -u mynah -p <密码> --no-admin`。',
    '2. 填写主服务器地址、`user` 和 `password`。若使用 `token`,请勿在其来源的客户端上退出登录,否则它会失效。',
    '3. 在 `master` 中填写您自己的用户 ID,例如 `@alice:example.org`。',
    '4. 创建一个**未加密**的房间并邀请机器人。它会接受所有者的邀请。' +
      '它需要 `events_default` 所要求的权限等级(多数房间为 0);移除成员需要 `kick`(50),删除他人消息需要 `redact`(50)。',
  ].join('\n'),
}
