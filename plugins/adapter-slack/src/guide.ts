/** Steps on Slack for a new account. */
export const guide = {
  en: [
    '1. Open [your apps](https://api.slack.com/apps), press **Create New App**, **From a manifest**, and paste the ' +
      'manifest of the README of this adapter. It has all scopes and events.',
    '2. On the page **Basic Information**, generate an **App-Level Token** with the scope `connections:write`, and ' +
      'enter it as `appToken`. Without Socket Mode, enter the **Signing Secret** of that page as `signingSecret`.',
    '3. On the page **OAuth & Permissions**, press **Install to Workspace**, and enter the **Bot User OAuth Token** as ' +
      '`botToken`.',
    '4. Write `/invite @<name of the bot>` in a channel. Copy your own member id from your profile, and enter it as ' +
      '`master`.',
  ].join('\n'),
  'zh-CN': [
    '1. 打开[你的应用](https://api.slack.com/apps)，点击 **Create New App**、**From a manifest**，粘贴本适配器 README 中的' +
      '清单。其中已包含所有权限与事件。',
    '2. 在 **Basic Information** 页面生成带 `connections:write` 权限的 **App-Level Token**，填写为 `appToken`。' +
      '不用 Socket Mode 时，把该页面的 **Signing Secret** 填写为 `signingSecret`。',
    '3. 在 **OAuth & Permissions** 页面点击 **Install to Workspace**，把 **Bot User OAuth Token** 填写为 `botToken`。',
    '4. 在频道中输入 `/invite @<机器人的名字>`。从个人资料中复制你自己的成员 ID，填写为 `master`。',
  ].join('\n'),
} as const
