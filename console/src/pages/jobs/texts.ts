// Words of the page of jobs.
import { texts } from '../../kit/texts.js'

export const p = texts({
  fact: '1 job | {count} jobs', factPart: '1 job shown, the newest first | {count} jobs shown, the newest first', failedN: '{count} failed', events: 'events from outside:', open: 'open', closed: 'closed', closedKey: 'set assistant.events.enabled to open them', refresh: 'Refresh', show: 'Which jobs',
  'kind.': 'All', 'kind.failed': 'Failed', 'kind.clock': 'By clock', 'kind.event': 'By event', 'kind.hand': 'By hand', cronNote: 'Those by clock are changed under', cron: 'Cron',
  job: 'Job', by: 'Started by', goes: 'Result goes to', recent: 'Last 30 runs', last: 'Last run', strip: 'The last runs: {failed} of {count} failed', unfold: 'Runs of {name}',
  'trigger.schedule': 'clock', 'trigger.event': 'event', 'trigger.heartbeat': 'heartbeat', 'trigger.im': 'by hand', handOnly: '/job run only',
  'to.log': 'log', 'to.silent': 'silent', 'to.ha': 'home: {service}', 'to.im': '{scene} on {endpoint}',
  'state.ok': 'ok', 'state.error': 'failed', 'state.skipped': 'skipped', 'state.interrupted': 'interrupted', 'state.queued': 'waits for its turn', 'state.running': 'runs', 'state.waiting': 'waits for somebody', never: 'not yet', off: 'switched off', tries: 'try {count}',
  began: 'Began', slot: 'Slot', state: 'State', attempt: 'Try', took: 'Took', soFar: '{time} so far', came: 'What came of it', conversation: 'Conversation', result: 'Result: {text}', noRuns: 'It has not run yet', older: 'Older runs', runNow: 'Run now…', id: 'id',
  runAsk: 'Run {name} now?', runText: 'It runs once, beside its schedule.', runDo: 'Run now', started: '{name} was started', empty: 'No jobs yet', emptyText: 'Tasks of the clock are made under Cron; events from outside make jobs by POST assistant/events.', noKind: 'No such job', missing: 'The assistant is not enabled', missingText: 'Set assistant.enabled in the configuration to have jobs here.',
}, {
  fact: '{count} 个作业', factPart: '显示 {count} 个作业，最新在前', failedN: '{count} 个失败', events: '外部事件：', open: '已开放', closed: '已关闭', closedKey: '设置 assistant.events.enabled 以开放', refresh: '刷新', show: '显示哪些作业',
  'kind.': '全部', 'kind.failed': '失败', 'kind.clock': '按时间', 'kind.event': '按事件', 'kind.hand': '手动', cronNote: '按时间的作业在此更改：', cron: '定时任务',
  job: '作业', by: '触发方式', goes: '结果发往', recent: '最近 30 次', last: '上次运行', strip: '最近的运行：{count} 次中失败 {failed} 次', unfold: '{name} 的运行',
  'trigger.schedule': '时间', 'trigger.event': '事件', 'trigger.heartbeat': '心跳', 'trigger.im': '手动', handOnly: '仅 /job run',
  'to.log': '日志', 'to.silent': '不发送', 'to.ha': '家居：{service}', 'to.im': '{endpoint} 上的 {scene}',
  'state.ok': '正常', 'state.error': '失败', 'state.skipped': '已跳过', 'state.interrupted': '已中断', 'state.queued': '排队中', 'state.running': '运行中', 'state.waiting': '等待回答', never: '尚未', off: '已关闭', tries: '第 {count} 次',
  began: '开始', slot: '触发', state: '状态', attempt: '尝试', took: '用时', soFar: '已 {time}', came: '结果', conversation: '对话', result: '结果：{text}', noRuns: '还没有运行过', older: '更早的运行', runNow: '立即运行…', id: 'id',
  runAsk: '立即运行 {name}？', runText: '在计划之外运行一次。', runDo: '立即运行', started: '{name} 已启动', empty: '还没有作业', emptyText: '按时间的任务在“定时任务”中创建；外部事件通过 POST assistant/events 创建作业。', noKind: '没有这样的作业', missing: '助手未启用', missingText: '在配置中设置 assistant.enabled 以在此看到作业。',
})
