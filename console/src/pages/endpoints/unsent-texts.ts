import { defineTexts } from '../../kit/texts.js'

export const t = defineTexts(
  {
    title: 'Messages that did not arrive',
    fact: '1 message, newest first | {count} messages, newest first',
    failed: 'not sent',
    unknown: 'may have arrived',
    again: 'Send again',
    againTo: 'Send again to {target}',
    more: 'Show 1 more | Show {count} more',
    noText: 'no text',
    offline: 'The endpoint is not online: nothing can be sent',
    sent: 'Sent again to {target}',
    waits: 'The message to {target} waits for its endpoint',
    ask: 'It may have arrived. Send it again?',
    askText: 'Whether the platform took the message is not known. {target} may get it twice.',
  },
  {
    title: '未送达的消息',
    fact: '{count} 条消息，最新在前',
    failed: '未发送',
    unknown: '可能已送达',
    again: '重新发送',
    againTo: '重新发送给 {target}',
    more: '再显示 {count} 条',
    noText: '没有文字',
    offline: '接入点不在线：无法发送',
    sent: '已重新发送给 {target}',
    waits: '发给 {target} 的消息正在等待接入点',
    ask: '它可能已经送达。仍要重新发送吗？',
    askText: '不知道平台是否收到了这条消息。{target} 可能会收到两次。',
  },
)
