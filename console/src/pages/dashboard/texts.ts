// What the dashboard says at first.
import { texts } from '../../kit/texts.js'

export const d = texts({
  up: 'up {uptime}', more: 'More', timer: 'Refresh every {seconds} s', timerOff: 'No timer', well: 'Nothing needs you',
  wellEndpoints: '{online} of {total} endpoints online', wellPlugins: '{active} {active:plugin|plugins} running', wellJobs: 'every job ended well',
  messages: 'Messages a minute', lastHour: 'last hour', in: 'in', out: 'out', traces: 'Traces', total: 'In', answered: 'Answered',
  median: 'Median answer', notSent: 'Not sent', chart: '{received} {received:message|messages} in, {sent} out in the last hour, at most {top} a minute',
  endpoints: 'Endpoints', online: '{online} of {total} online', allEndpoints: 'All endpoints', endpoint: 'Endpoint', state: 'State',
  count: 'Messages', unread: 'Unread', last: 'Last event', hour: 'Online in {up} of {seen} known {seen:minute|minutes}', stateOnline: 'online',
  statePending: 'connecting', stateOffline: 'offline', noEndpoints: 'No endpoints yet',
  noEndpointsText: 'An endpoint is the account of a bot on a platform. Add one under endpoints in the configuration, or try the sandbox.',
  host: 'Host', memory: 'Memory', memoryHour: 'Memory of the last hour on a scale from 0 to {top} MB', processor: 'Processor', machine: 'Machine',
  free: '{free} of {total} free', plugins: 'Plugins', active: '{active} active', off: '{count} not', commands: 'Commands', runsOn: 'Runs on',
  restartHow: 'It is away for a few seconds, and the console reconnects on its own. Messages that are accepted are kept; answers in the making are finished first.',
}, {
  up: '已运行 {uptime}', more: '更多', timer: '每 {seconds} 秒刷新', timerOff: '不定时刷新', well: '无需处理', wellEndpoints: '{total} 个接入点中 {online} 个在线',
  wellPlugins: '{active} 个插件运行中', wellJobs: '所有任务均已成功结束', messages: '每分钟消息', lastHour: '最近一小时', in: '收', out: '发', traces: '追踪', total: '收到',
  answered: '已回复', median: '回复中位耗时', notSent: '未发出', chart: '最近一小时收到 {received} 条、发出 {sent} 条消息，每分钟最多 {top} 条', endpoints: '接入点',
  online: '{total} 个中 {online} 个在线', allEndpoints: '所有接入点', endpoint: '接入点', state: '状态', count: '消息', unread: '未读', last: '最近事件',
  hour: '已知的 {seen} 分钟中在线 {up} 分钟', stateOnline: '在线', statePending: '连接中', stateOffline: '离线', noEndpoints: '还没有接入点',
  noEndpointsText: '接入点是机器人在某个平台上的账号。请在配置的 endpoints 下添加，或试用沙盒。', host: '主机', memory: '内存', memoryHour: '最近一小时的内存，刻度 0 至 {top} MB', processor: '处理器',
  machine: '机器', free: '共 {total}，可用 {free}', plugins: '插件', active: '{active} 个运行', off: '{count} 个未运行', commands: '命令', runsOn: '运行环境',
  restartHow: '主机会离开几秒，控制台会自行重新连接。已接收的消息会保留，正在生成的回复会先完成。',
})
