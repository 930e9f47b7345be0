// Words of the pages of files and of environment files.
import { texts } from '../../kit/texts.js'

export const p = texts({
  beside: 'beside', dirtyN: '1 file with changes | {count} files with changes', newFile: 'New file…', show: 'Show changes', save: 'Save', refresh: 'Refresh', find: 'Find a file', tree: 'Files', choose: 'Choose a file, or make one', back: 'All files', big: 'over 1 MB', empty: 'No files here', noMatch: 'No file matches',
  note: 'The configuration stands under {config}, environment files under {env}. Keys, the data directory and node_modules are never shown.', config: 'Config', env: 'Env', open: 'Open files', close: 'Close {name}',
  bigTitle: 'Too big to open here', bigText: '{name} has {size}; files over 1 MB are not read.', changed: 'Changed on the host since you opened it. Your changes are safe here.', compare: 'Compare', keepMine: 'Keep mine', takeTheirs: 'Take theirs', compareTitle: '{name}: the host’s against yours', changesTitle: 'Changes of {name}', nothing: 'Nothing is changed',
  saved: '{name} was saved', size: '{size} of at most 1 MB', linesChanged: '{added} {added:line|lines} added, {removed} removed, not saved', clean: 'saved', caret: 'Line {line}, column {column}', discard: 'Discard', changesBar: 'Changes in {name}', language: '{name}',
  newTitle: 'Make a file', newPath: 'Path', newHint: 'Below the folder of the configuration; the folder must be there', make: 'Make it', badPath: 'A path without .. that does not begin with /',
  envTitle: 'Env', envFact: 'read before the host starts, the real environment wins', file: 'File', table: 'Table', text: 'Text', mode: 'How to edit', name: 'Name', value: 'Value', shown: 'Show the value of {name}', hidden: 'Hide the value of {name}', remove: 'Take out {name}', add: 'Add a variable', actions: 'Actions', noVariables: 'No variables here yet', envChanges: '1 variable changed | {count} variables changed', envText: 'The text was changed', nextStart: 'takes effect at the next start', badName: 'Letters, digits and _, not a digit first', envSaved: '{name} was saved; it takes effect at the next start', refusedRead: 'This file cannot be opened here', undo: 'Undo {name}', envReview: 'Save changes of {name}?', envSave: 'Save',
}, {
  beside: '同目录：', dirtyN: '{count} 个文件有更改', newFile: '新建文件…', show: '显示更改', save: '保存', refresh: '刷新', find: '查找文件', tree: '文件', choose: '请选择或新建一个文件', back: '全部文件', big: '超过 1 MB', empty: '这里没有文件', noMatch: '没有匹配的文件',
  note: '配置在 {config} 下，环境文件在 {env} 下。密钥、数据目录和 node_modules 从不显示。', config: '配置', env: '环境变量', open: '打开的文件', close: '关闭 {name}',
  bigTitle: '太大，无法在此打开', bigText: '{name} 有 {size}；超过 1 MB 的文件不会读取。', changed: '打开之后主机上有更改。你的更改在此安全保留。', compare: '比较', keepMine: '保留我的', takeTheirs: '采用对方的', compareTitle: '{name}：主机的与你的', changesTitle: '{name} 的更改', nothing: '没有更改',
  saved: '{name} 已保存', size: '{size}，最多 1 MB', linesChanged: '新增 {added} 行，删除 {removed} 行，未保存', clean: '已保存', caret: '第 {line} 行，第 {column} 列', discard: '放弃', changesBar: '{name} 的更改', language: '{name}',
  newTitle: '新建文件', newPath: '路径', newHint: '位于配置所在的目录之下；目录必须存在', make: '新建', badPath: '不含 .. 且不以 / 开头的路径',
  envTitle: '环境变量', envFact: '主机启动前读取，真实环境优先', file: '文件', table: '表格', text: '文本', mode: '编辑方式', name: '名称', value: '值', shown: '显示 {name} 的值', hidden: '隐藏 {name} 的值', remove: '移除 {name}', add: '添加变量', actions: '操作', noVariables: '这里还没有变量', envChanges: '{count} 个变量已更改', envText: '文本已更改', nextStart: '下次启动时生效', badName: '字母、数字和 _，不以数字开头', envSaved: '{name} 已保存；下次启动时生效', refusedRead: '此文件无法在此打开', undo: '撤销 {name}', envReview: '保存 {name} 的更改？', envSave: '保存',
})
