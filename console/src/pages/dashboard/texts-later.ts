// What the parts of the dashboard say that come after the first screen.
import { texts } from '../../kit/texts.js'

export const dl = texts({
  kOpen: 'Open what is wrong',
  oneWrong: '1 thing is wrong', manyWrong: '{count} things are wrong', andMore: '{count} more', offline: 'is offline',
  connecting: 'is still connecting', plugin: 'has failed', waiting: 'waits', degraded: 'works in part', check: 'is not well', job: 'failed', approval: 'waits for an answer', approvals: 'Approvals',
  entry: 'did not load its console page', since: 'since {time}', at: 'at {time}', log: 'Log', open: 'Open {name}', runAgain: 'Run again',
  running: 'It runs now', traces: 'Traces', ai: 'AI today', calls: 'Calls', tokensIn: 'Tokens in', cached: '{share} % cached',
  tokensOut: 'Tokens out', cost: 'Cost', jobs: 'Next jobs', cron: 'Cron', problems: 'Warnings and errors', newest: 'newest first',
  allLogs: 'All logs', times: 'once | {count} times', noProblems: 'None is kept.', talk: 'Last messages', noTalk: 'No message yet.',
  replies: '1 reply | {count} replies', oneReply: '1 reply', noReply: 'no reply',
}, {
  kOpen: '打开有问题的项',
  oneWrong: '有 1 处问题', manyWrong: '有 {count} 处问题', andMore: '另有 {count} 处', offline: '离线', connecting: '仍在连接', plugin: '已失败', waiting: '正在等待',
  degraded: '部分可用', check: '状态不佳', job: '失败', approval: '等待答复', approvals: '审批', entry: '的控制台页面未能加载', since: '自 {time}', at: '于 {time}', log: '日志', open: '打开 {name}', runAgain: '再次运行',
  running: '正在运行', traces: '追踪', ai: '今日 AI', calls: '调用', tokensIn: '输入 token', cached: '{share} % 来自缓存', tokensOut: '输出 token', cost: '费用',
  jobs: '接下来的任务', cron: '定时任务', problems: '警告与错误', newest: '最新在前', allLogs: '所有日志', times: '{count} 次', noProblems: '没有保留的记录。', talk: '最近消息',
  noTalk: '还没有消息。', replies: '{count} 条回复', oneReply: '1 条回复', noReply: '无回复',
})
