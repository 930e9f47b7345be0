// Words of the page of approvals.
import { texts } from '../../kit/texts.js'

export const p = texts({
  fact: '{count} waiting', kept: 'kept on disk, they outlive a restart', memory: 'kept in memory only, a restart forgets them', try: 'Try a command…', refresh: 'Refresh',
  'kind.bash': 'A shell command waits for its owner', 'kind.home': 'A call of the home waits for its owner', 'kind.skill': 'A skill waits for its owner', 'kind.job': 'A job waits for its owner',
  by: 'asked by the agent for {who}', in: ' in {channel}', on: ' on {endpoint}', conversation: 'Conversation', left: '{time} left', part: 'Part', verdict: 'Verdict', because: 'Because', command: 'Command', number: 'No.',
  'verdict.allow': 'covered', 'verdict.ask': 'not covered', 'verdict.deny': 'refused',
  rule: 'The rule that would cover it', ruleFor: 'for {endpoint} only', ruleCovers: 'it would have covered {covered} of the last {of} {of:request|requests}', addThis: 'Add this rule…', add: 'Add a rule…',
  approve: 'Approve once', deny: 'Deny', bound: 'Bound to this exact text, used once. Also answerable by the owner with {command} in private.', approved: 'Approved, runs now', denied: 'Denied', covered: 'A rule covers this now.',
  nothing: 'Nothing waits', nothingText: 'Commands that no rule covers will be asked here and in the owner’s private chat.',
  standing: 'Standing approvals', standingFact: 'what runs without asking, per endpoint', endpoint: 'Endpoint', all: 'All of bash', rules: 'Rules', asks: 'asks', never: 'never asks', neverText: 'all but the blacklist runs', none: 'none', notNeeded: 'none needed while bash never asks', revoke: 'Revoke…', askAgain: 'Ask again…', noStanding: 'No endpoint has a standing approval', blacklist: 'The blacklist holds in every case and cannot be approved.',
  revokeAsk: 'Revoke the rule?', revokeText: 'Commands that only this rule covered will be asked for again on {endpoint}.', revokeDo: 'Revoke', againAsk: 'Ask again on {endpoint}?', againText: 'Bash will ask for each command that no rule covers.', againDo: 'Ask again', revoked: 'The rule is revoked', again: '{endpoint} asks again',
  answered: 'Answered', newest: 'newest first', older: 'Older', time: 'Time', outcome: 'Outcome', who: 'For', noHistory: 'Nothing was answered yet', 'status.used': 'ran once', 'status.approved': 'approved', 'status.denied': 'denied', 'status.expired': 'expired', 'status.withdrawn': 'withdrawn', 'status.pending': 'waits', forWho: 'for {who}',
  ruleTitle: 'Add a rule for {endpoint}', pattern: 'Pattern', patternHint: 'A regular expression over one part of a command. Begin with ^ and end with $ to mean the whole part.', match: 'A text it must match', noMatch: 'A text it must not match', invalid: 'This is no regular expression', matchFails: 'The pattern does not match this text', noMatchFails: 'The pattern matches this text too', ruleDo: 'Add the rule', added: 'The rule was added; it approves nothing by itself',
  tryTitle: 'Try a command', tryText: 'Says what the policy would do. Nothing runs.', tryDo: 'Check', came: 'A command waits: {command}',
}, {
  fact: '{count} 个等待', kept: '保存在磁盘上，重启后仍在', memory: '只保存在内存中，重启后丢失', try: '试一条命令…', refresh: '刷新',
  'kind.bash': '一条 shell 命令等待所有者', 'kind.home': '一次家居调用等待所有者', 'kind.skill': '一个技能等待所有者', 'kind.job': '一个作业等待所有者',
  by: '智能体代 {who} 请求', in: '，来自 {channel}', on: '，接入点 {endpoint}', conversation: '对话', left: '剩余 {time}', part: '部分', verdict: '判定', because: '原因', command: '命令', number: '序号',
  'verdict.allow': '已覆盖', 'verdict.ask': '未覆盖', 'verdict.deny': '拒绝',
  rule: '可以覆盖它的规则', ruleFor: '仅用于 {endpoint}', ruleCovers: '它会覆盖最近 {of} 个请求中的 {covered} 个', addThis: '添加此规则…', add: '添加规则…',
  approve: '批准一次', deny: '拒绝', bound: '只对这段文字有效，使用一次。所有者也可在私聊中用 {command} 回答。', approved: '已批准，正在运行', denied: '已拒绝', covered: '现在有规则覆盖它。',
  nothing: '没有等待的内容', nothingText: '没有规则覆盖的命令会在这里和所有者的私聊中询问。',
  standing: '长期批准', standingFact: '各接入点无需询问即可运行的内容', endpoint: '接入点', all: '全部 bash', rules: '规则', asks: '询问', never: '从不询问', neverText: '除黑名单外全部运行', none: '无', notNeeded: 'bash 从不询问，无需规则', revoke: '撤销…', askAgain: '重新询问…', noStanding: '没有接入点有长期批准', blacklist: '黑名单始终有效，无法批准。',
  revokeAsk: '撤销这条规则？', revokeText: '仅由此规则覆盖的命令将在 {endpoint} 上重新询问。', revokeDo: '撤销', againAsk: '在 {endpoint} 上重新询问？', againText: '没有规则覆盖的每条命令都会询问。', againDo: '重新询问', revoked: '规则已撤销', again: '{endpoint} 将重新询问',
  answered: '已回答', newest: '最新在前', older: '更早', time: '时间', outcome: '结果', who: '为谁', noHistory: '还没有回答过', 'status.used': '已运行一次', 'status.approved': '已批准', 'status.denied': '已拒绝', 'status.expired': '已过期', 'status.withdrawn': '已撤回', 'status.pending': '等待中', forWho: '为 {who}',
  ruleTitle: '为 {endpoint} 添加规则', pattern: '模式', patternHint: '针对命令某一部分的正则表达式。以 ^ 开头、$ 结尾表示整个部分。', match: '必须匹配的文字', noMatch: '不得匹配的文字', invalid: '这不是正则表达式', matchFails: '模式不匹配这段文字', noMatchFails: '模式也匹配这段文字', ruleDo: '添加规则', added: '规则已添加；它本身不批准任何请求',
  tryTitle: '试一条命令', tryText: '说明策略会怎么做。不会运行任何东西。', tryDo: '检查', came: '有命令等待：{command}',
})
