// Words of the page of message traces.
import { texts } from '../../kit/texts.js'

export const p = texts({
  fact: 'the last 1,000 messages', search: 'Text, sender or message id', show: 'Which traces', all: 'All', wrong: 'Went wrong', slow: 'Slow', list: 'Traces', back: 'All traces',
  empty: 'No message yet', emptyText: 'Write one in the sandbox: each message leaves a trace of what was decided about it.', noMatch: 'No trace matches', choose: 'Choose a message', gone: 'This message is older than the last 1,000', refresh: 'Refresh',
  in: 'in {place} on {endpoint}, {time}', conversation: 'Conversation', copyJson: 'Copy as JSON', more: 'More', log: 'Its log lines',
  answered: 'Took {time}', models: 'models {time}', tools: 'tools {time}', sending: 'sending {time}', replies: '1 reply | {count} replies', fine: 'nothing went wrong', 'wrong.n': '1 step went wrong | {count} steps went wrong', middlewares: '1 middleware | {count} middlewares',
  'group.accepted': 'Accepted', 'group.decided': 'Decided', 'group.answered': 'Answered', 'group.sent': 'Sent', at: 'At', what: 'What and why', outcome: 'Outcome', took: 'Took', waited: 'waited {time}',
  'end.none': 'no answer', 'end.reply': '1 reply', 'end.replies': '1 reply | {count} replies', 'end.wrong': '{stage} {outcome}', running: 'runs',
  'stage.accept': 'Message store', 'stage.store': 'Message store', 'stage.middleware': 'Middleware', 'stage.command': 'Command', 'stage.ai': 'AI', 'stage.model': 'Model', 'stage.tool': 'Tool', 'stage.send': 'Sending', 'stage.dispatch': 'Dispatcher', 'stage.context': 'Context', 'stage.intake': 'Intake', 'stage.turn': 'Turn', 'stage.wait': 'Waiting', 'stage.render': 'Drawing', 'stage.speech': 'Speech', 'stage.handling': 'Handling',
  'outcome.none': 'none', 'outcome.skipped': 'skipped', 'outcome.passed': 'passed on', 'outcome.matched': 'matched', 'outcome.failed': 'failed', 'outcome.sent': 'sent', 'outcome.unknown': 'not known', 'outcome.waits': 'waits', 'outcome.stored': 'stored', 'outcome.remembered': 'in memory', 'outcome.unsaved': 'not stored', 'outcome.dropped': 'dropped', 'outcome.taken up': 'taken up', 'outcome.found': 'found again', 'outcome.slow': 'slow', 'outcome.unmarked': 'not marked', 'outcome.text': 'as text', 'outcome.drawn': 'drawn', 'outcome.spoken': 'spoken', 'outcome.handed over': 'handed over', 'outcome.steers': 'steers', 'outcome.ended': 'ended', 'outcome.ran': 'ok', 'outcome.refused': 'refused', 'outcome.stop': 'answer', 'outcome.tool-calls': 'tool call',
  kMove: 'move', kOpen: 'open a step', kLog: 'its log lines', kFilter: 'filter',
}, {
  fact: '最近 1,000 条消息', search: '文字、发送者或消息 id', show: '显示哪些追踪', all: '全部', wrong: '出错', slow: '缓慢', list: '追踪', back: '全部追踪',
  empty: '还没有消息', emptyText: '在沙盒中写一条：每条消息都会留下对它所做决定的追踪。', noMatch: '没有匹配的追踪', choose: '请选择一条消息', gone: '这条消息早于最近 1,000 条', refresh: '刷新',
  in: '在 {endpoint} 的 {place}，{time}', conversation: '对话', copyJson: '复制为 JSON', more: '更多', log: '它的日志',
  answered: '用时 {time}', models: '模型 {time}', tools: '工具 {time}', sending: '发送 {time}', replies: '{count} 条回复', fine: '一切正常', 'wrong.n': '{count} 处出错', middlewares: '{count} 个中间件',
  'group.accepted': '接收', 'group.decided': '决定', 'group.answered': '回答', 'group.sent': '发送', at: '时刻', what: '内容与原因', outcome: '结果', took: '用时', waited: '等待 {time}',
  'end.none': '无回答', 'end.reply': '1 条回复', 'end.replies': '{count} 条回复', 'end.wrong': '{stage}{outcome}', running: '进行中',
  'stage.accept': '消息存储', 'stage.store': '消息存储', 'stage.middleware': '中间件', 'stage.command': '命令', 'stage.ai': 'AI', 'stage.model': '模型', 'stage.tool': '工具', 'stage.send': '发送', 'stage.dispatch': '调度器', 'stage.context': '上下文', 'stage.intake': '接入', 'stage.turn': '轮次', 'stage.wait': '等待', 'stage.render': '绘制', 'stage.speech': '语音', 'stage.handling': '处理',
  'outcome.none': '无', 'outcome.skipped': '已跳过', 'outcome.passed': '放行', 'outcome.matched': '匹配', 'outcome.failed': '失败', 'outcome.sent': '已发送', 'outcome.unknown': '结果不明', 'outcome.waits': '等待', 'outcome.stored': '已保存', 'outcome.remembered': '仅在内存', 'outcome.unsaved': '未保存', 'outcome.dropped': '已丢弃', 'outcome.taken up': '已接手', 'outcome.found': '重新找到', 'outcome.slow': '缓慢', 'outcome.unmarked': '未标记', 'outcome.text': '以文字', 'outcome.drawn': '已绘制', 'outcome.spoken': '已朗读', 'outcome.handed over': '已移交', 'outcome.steers': '引导', 'outcome.ended': '已结束', 'outcome.ran': '正常', 'outcome.refused': '被拒绝', 'outcome.stop': '回答', 'outcome.tool-calls': '调用工具',
  kMove: '移动', kOpen: '打开步骤', kLog: '日志', kFilter: '筛选',
})
