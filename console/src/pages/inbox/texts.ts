// Words of the inbox.
import { texts } from '../../kit/texts.js'

export const p = texts({
  fact: '{unread} unread, {requests} {requests:request waits|requests wait} for an answer',
  all: 'All', unread: 'Unread', show: 'Which conversations', endpoint: 'Endpoint', allEndpoints: 'All endpoints', column: 'Column',
  conversations: 'Conversations', messages: 'Messages', requests: 'Requests', notices: 'Notices', countUnread: '{count} unread', countWait: '{count} {count:waits|wait}',
  empty: 'Nothing here yet', emptyText: 'Messages appear as they come in.', noUnread: 'No unread conversation', noRequests: 'Nobody waits', noNotices: 'No notices yet',
  failed: '{name}: {error}', asOf: 'as of {time}',
  markRead: 'Mark read', markAll: 'Mark all read', back: 'All conversations', older: 'Older messages', bot: 'bot', yesterday: 'Yesterday', today: 'Today', unreadRule: '{count} unread',
  answer: 'Answer in {place} as {name}', send: 'Send', offline: 'The endpoint is not online', newBelow: '{count} new',
  'state.failed': 'Not sent: {error}', 'state.unknown': 'It is not known whether this was sent: {error}', 'state.interrupted': 'Its handling was interrupted', 'state.intent': 'to be sent', 'state.sending': 'being sent', noReason: 'no reason was given', again: 'Send again', notRepeated: 'Not repeated by itself.',
  'ask.friend': 'wants to be a friend', 'ask.group-join': 'wants to join {place}', 'ask.group-invite': 'invites the bot to {place}', aGroup: 'a group',
  approve: 'Approve', reject: 'Reject…', rejectAsk: 'Reject the request of {name}?', rejectDo: 'Reject', reason: 'Reason (optional)', reasonHint: 'Platforms that take a reason show it to who asked.',
  approved: 'Approved: {name}', rejected: 'Rejected: {name}', goesOut: 'Goes out in {seconds} s', undo: 'Undo', earlier: 'Earlier', 'status.approved': 'approved', 'status.rejected': 'rejected', 'status.expired': 'expired', 'status.pending': 'cannot be answered here',
  'notice.group_increase': '{target} joined {place}', 'notice.group_decrease': '{target} left {place}', 'notice.group_admin': 'Roles in {place} changed for {target}', 'notice.group_ban': '{target} was muted in {place}', 'notice.friend_add': '{target} is a friend now', 'notice.by': 'by {operator}',
  kMove: 'move', kOpen: 'open', kRead: 'mark read', kAnswer: 'approve, reject', kUndo: 'undo',
}, {
  fact: '{unread} 条未读，{requests} 个请求等待回复',
  all: '全部', unread: '未读', show: '显示哪些对话', endpoint: '接入点', allEndpoints: '所有接入点', column: '栏目',
  conversations: '对话列表', messages: '消息', requests: '请求', notices: '通知', countUnread: '{count} 条未读', countWait: '{count} 个等待',
  empty: '这里还没有内容', emptyText: '消息到达后会显示在这里。', noUnread: '没有未读对话', noRequests: '没有人在等待', noNotices: '还没有通知',
  failed: '{name}：{error}', asOf: '截至 {time}',
  markRead: '标为已读', markAll: '全部标为已读', back: '全部对话', older: '更早的消息', bot: '机器人', yesterday: '昨天', today: '今天', unreadRule: '{count} 条未读',
  answer: '以 {name} 的身份在 {place} 回复', send: '发送', offline: '接入点不在线', newBelow: '{count} 条新消息',
  'state.failed': '未发送：{error}', 'state.unknown': '不清楚是否已发送：{error}', 'state.interrupted': '处理被中断', 'state.intent': '待发送', 'state.sending': '发送中', noReason: '没有给出原因', again: '再次发送', notRepeated: '不会自动重发。',
  'ask.friend': '想成为好友', 'ask.group-join': '想加入 {place}', 'ask.group-invite': '邀请机器人加入 {place}', aGroup: '一个群组',
  approve: '同意', reject: '拒绝…', rejectAsk: '拒绝 {name} 的请求？', rejectDo: '拒绝', reason: '理由（可选）', reasonHint: '支持理由的平台会把它显示给请求者。',
  approved: '已同意：{name}', rejected: '已拒绝：{name}', goesOut: '{seconds} 秒后发出', undo: '撤销', earlier: '更早', 'status.approved': '已同意', 'status.rejected': '已拒绝', 'status.expired': '已过期', 'status.pending': '无法在此回复',
  'notice.group_increase': '{target} 加入了 {place}', 'notice.group_decrease': '{target} 离开了 {place}', 'notice.group_admin': '{target} 在 {place} 的角色已更改', 'notice.group_ban': '{target} 在 {place} 被禁言', 'notice.friend_add': '{target} 已成为好友', 'notice.by': '（操作者：{operator}）',
  kMove: '移动', kOpen: '打开', kRead: '标为已读', kAnswer: '同意、拒绝', kUndo: '撤销',
})
