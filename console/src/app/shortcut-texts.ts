// Words of the sheet of keys; it comes when it is opened.
import { texts } from '../kit/texts.js'

export const p = texts({
  page: 'On this page', lists: 'Lists', editing: 'Editing', everywhere: 'Everywhere', goto: 'Go to: G, then',
  on: 'Single-key shortcuts', note: 'They rest while you type in a field. Keys with {modifier} always work.',
  palette: 'Search or run a command', sheet: 'This list', close: 'Close the top layer', refresh: 'Refresh the page', filter: 'Go to the filter', pages: 'Page back, page on', rows: 'Row by row', open: 'Open the row',
  save: 'Review, then save', send: 'Send or create',
}, {
  page: '本页', lists: '列表', editing: '编辑', everywhere: '任何地方', goto: '前往：先按 G，再按',
  on: '单键快捷键', note: '在输入框中打字时不起作用。带 {modifier} 的按键始终有效。',
  palette: '搜索或执行命令', sheet: '本列表', close: '关闭最上层', refresh: '刷新页面', filter: '跳到筛选框', pages: '上一页、下一页', rows: '逐行移动', open: '打开此行',
  save: '查看更改并保存', send: '发送或创建',
})
