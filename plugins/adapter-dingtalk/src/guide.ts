/** Steps on DingTalk for a new account. */
export const guide = {
  en: [
    '1. Create an internal application in the [Developer Console](https://open-dev.dingtalk.com), and add the ' +
      'capability **Robot** to it. Choose **Stream** as the way of receiving messages.',
    '2. On the page **Credentials and Basic Information** copy **Client ID** and **Client Secret**, and enter them here.',
    '3. On the page **Permission Management** grant **qyapi_robot_sendmsg**, so that the bot can send by itself and ' +
      'read files.',
    '4. Publish a version of the application, then add the robot to a group. There it reads only what mentions it.',
    '5. Say something to the bot. The log and the console show your user id; enter it as `master`.',
  ].join('\n'),
  'zh-CN': [
    '1. 在[开发者后台](https://open-dev.dingtalk.com)创建企业内部应用，添加**机器人**能力，消息接收模式选择 **Stream 模式**。',
    '2. 在**凭证与基础信息**页面复制 **Client ID** 和 **Client Secret**，填在这里。',
    '3. 在**权限管理**页面开通 **qyapi_robot_sendmsg**，机器人才能主动发送消息和读取文件。',
    '4. 发布应用版本，然后把机器人加入群聊。它在群里只能读到提及它的消息。',
    '5. 对机器人说一句话。日志和控制台会显示你的用户 ID，填写为 `master`。',
  ].join('\n'),
} as const
