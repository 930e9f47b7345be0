// Words of the log page.
import { texts } from '../../kit/texts.js'

export const p = texts({
  kFollow: 'Follow, or stay', kLevels: 'One level on or off', kCopy: 'Copy the line that is open',
  fact: '{shown} of {total} {total:row|rows}', kept: 'kept since {day}', copyShown: 'Copy shown', more: 'More', download: 'Download as NDJSON', cleanup: 'Clean up…', refresh: 'Refresh',
  search: 'Text in the message', levels: 'Levels', 'level.error': 'Error', 'level.warn': 'Warn', 'level.info': 'Info', 'level.debug': 'Debug', plugin: 'Plugin: {name}', clear: 'Clear', time: 'At {time}',
  volume: 'Lines a minute in the last hour; arrow keys choose a minute', volumeAt: '{time}: {count} {count:line|lines}, {errors} {errors:error|errors}', volumeAll: 'the whole hour', most: '{count}',
  following: 'Following', followText: 'new rows come in at the top; scrolling down stops it', paused: 'Paused', pausedNew: 'Paused, {count} new', pause: 'Pause', resume: 'Follow', notFollowing: 'Not following: {error}, next try in {seconds} s',
  list: 'Log lines, newest first', empty: 'No lines yet', emptyText: 'The host writes here as it runs.', noMatch: 'No line matches', noMatchText: 'Searched the {count} {count:row that is|rows that are} here{older}.', olderToo: ', and there are older ones', loadOlder: 'Load older rows', missing: 'The log is not kept', missingText: 'Enable the plugin logs to keep lines.',
  times: '×{count}', record: '{level}', close: 'Close the record', copyLine: 'Copy the line', source: 'Source', row: 'Row', at: 'Time', first: 'First of these', pluginName: 'Plugin', fields: 'Fields', around: 'Around it, all plugins', only: 'Only {name}', showAt: 'Show at this time', traces: 'Its trace',
  cleanTitle: 'Clean up the log', cleanBy: 'Delete', byDays: 'older than a number of days', byCount: 'beyond a number of rows', days: 'Days', count: 'Rows to keep', preview: '{count} {count:row goes|rows go}, {remaining} {remaining:stays|stay}', noPreview: 'How many rows would go is not known: {error}', cleanDo: 'Delete', cleanDoN: 'Delete 1 row | Delete {count} rows', cleaned: '1 row was deleted | {count} rows were deleted', invalid: 'A whole number from 0', invalidDays: 'A whole number from 0 to 36500', all: 'Everything',
  copied: '1 row copied | {count} rows copied',
}, {
  kFollow: '跟随或停下', kLevels: '切换一个级别', kCopy: '复制打开的行',
  fact: '{total} 行中的 {shown} 行', kept: '自 {day} 起保存', copyShown: '复制所列', more: '更多', download: '下载为 NDJSON', cleanup: '清理…', refresh: '刷新',
  search: '消息中的文字', levels: '级别', 'level.error': '错误', 'level.warn': '警告', 'level.info': '信息', 'level.debug': '调试', plugin: '插件：{name}', clear: '清除', time: '{time}',
  volume: '最近一小时每分钟行数；方向键选择分钟', volumeAt: '{time}：{count} 行，{errors} 个错误', volumeAll: '整个小时', most: '{count}',
  following: '跟随中', followText: '新行出现在顶部；向下滚动则停止', paused: '已暂停', pausedNew: '已暂停，{count} 条新行', pause: '暂停', resume: '跟随', notFollowing: '未跟随：{error}，{seconds} 秒后重试',
  list: '日志行，最新在前', empty: '还没有日志', emptyText: '主机运行时会写在这里。', noMatch: '没有匹配的行', noMatchText: '已搜索此处的 {count} 行{older}。', olderToo: '，还有更早的行', loadOlder: '加载更早的行', missing: '未保存日志', missingText: '启用 logs 插件以保存日志。',
  times: '×{count}', record: '{level}', close: '关闭记录', copyLine: '复制此行', source: '来源', row: '行', at: '时间', first: '最早一条', pluginName: '插件', fields: '字段', around: '前后（所有插件）', only: '只看 {name}', showAt: '显示此时刻', traces: '它的追踪',
  cleanTitle: '清理日志', cleanBy: '删除', byDays: '早于若干天的', byCount: '超出行数的', days: '天数', count: '保留行数', preview: '将删除 {count} 行，保留 {remaining} 行', noPreview: '无法预知将删除多少行：{error}', cleanDo: '删除', cleanDoN: '删除 {count} 行', cleaned: '已删除 {count} 行', invalid: '从 0 开始的整数', invalidDays: '0 到 36500 的整数', all: '全部',
  copied: '已复制 {count} 行',
})
