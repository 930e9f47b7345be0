import { defineTexts } from '../kit/texts.js'

export const t = defineTexts(
  {
    how: 'It is down for a few seconds, and the console reconnects on its own. Accepted messages are kept, and running answers are finished first.',
  },
  { how: '主机会离开几秒，控制台会自行重新连接。已接收的消息会保留，正在生成的回复会先完成。' },
)
