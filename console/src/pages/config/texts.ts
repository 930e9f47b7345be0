// Words of the configuration page.
import { texts } from '../../kit/texts.js'

export const p = texts({
  kWrong: 'Next value that is not valid',
  form: 'Form', yaml: 'YAML', mode: 'How to edit', refresh: 'Load again', more: 'More', needsYou: 'Needs you', sections: 'Sections', unclaimed: 'Nobody claims', back: 'All sections', notValid: '{count} not valid', leftOver: 'left over', inactive: 'Inactive', plugin: 'Plugin', section: 'Section', changed: 'changed',
  noSchema: 'Nobody describes this section, so that it has no form.', openYaml: 'Edit as YAML', choose: 'Choose a section', noSections: 'Nothing to configure', noSectionsText: 'No plugin that runs claims a section.', problems: '1 value is not valid: {first} | {count} values are not valid: {first}',
  default: 'default', notSet: 'not set, the default is {value}', unset: 'not set', was: 'was {value}', undo: 'Undo', fromEnv: 'from the environment', envText: 'Taken from {name} when the host starts. Stored here is only the reference.', toEnv: 'Set it in Env', secret: 'Stored secrets stay hidden and are kept as they are unless you type over them.', restart: 'takes effect at the next start',
  add: 'Add one', keyName: 'Name', removeItem: 'Remove {name}', item: 'No. {count}', yes: 'on', no: 'off', jsonHint: 'As JSON', jsonBad: 'This is no JSON: {error}', unsetIt: 'Take out',
  'error.type': 'must be {expected}', 'error.enum': 'must be one of {expected}', 'error.const': 'must be {expected}', 'error.minimum': 'must be at least {expected}', 'error.maximum': 'must be at most {expected}', 'error.exclusiveMinimum': 'must be more than {expected}', 'error.exclusiveMaximum': 'must be less than {expected}', 'error.minLength': 'needs at least {expected} {expected:character|characters}', 'error.maxLength': 'has more than {expected} {expected:character|characters}', 'error.pattern': 'does not fit the form that is asked for ({expected})', 'error.form': 'does not fit the form that is asked for: {form}', 'error.example': 'does not fit the form that is asked for, {such}', suchAs: 'such as “{example}”', 'error.required': 'is needed', 'error.unknown': 'is not a key here', 'error.minItems': 'needs at least {expected}', 'error.maxItems': 'has more than {expected}', 'error.anyOf': 'fits none of the forms that are allowed', 'error.uniqueItems': 'has the same twice', 'error.other': 'is not valid ({expected})', near: 'Did you mean {name}?',
  changes: '{changes} {changes:change|changes} in {sections} {sections:section|sections}', changesText: 'the file was edited as text', invalid: '{count} not valid: {first}', nextStart: 'takes effect at the next start', review: 'Review changes', discard: 'Discard',
  save: 'Save', 
  
  elsewhere: '{name} was changed elsewhere', compare: 'Compare', keepMine: 'Keep mine', takeTheirs: 'Take theirs', textElsewhere: 'The file was changed elsewhere while you edited it', fileLine: 'line {line}',
  readOnly: 'Nothing can be written now', file: 'mynah.config.yml',
}, {
  kWrong: '下一个无效的值',
  form: '表单', yaml: 'YAML', mode: '编辑方式', refresh: '重新载入', more: '更多', needsYou: '需要处理', sections: '配置节', unclaimed: '无人认领', back: '全部配置节', notValid: '{count} 处无效', leftOver: '遗留', inactive: '未启用', plugin: '插件', section: '配置节', changed: '已更改',
  noSchema: '没有插件描述这一节，因此没有表单。', openYaml: '以 YAML 编辑', choose: '请选择一个配置节', noSections: '没有可配置的内容', noSectionsText: '运行中的插件没有认领任何配置节。', problems: '{count} 个值无效：{first}',
  default: '默认值', notSet: '未设置，默认为 {value}', unset: '未设置', was: '原为 {value}', undo: '撤销', fromEnv: '来自环境变量', envText: '主机启动时取自 {name}。此处只保存引用。', toEnv: '在环境变量中设置', secret: '已保存的密钥保持隐藏，除非重新输入，否则不变。', restart: '下次启动时生效',
  add: '添加一项', keyName: '名称', removeItem: '移除 {name}', item: '第 {count} 项', yes: '开', no: '关', jsonHint: '以 JSON 表示', jsonBad: '这不是 JSON：{error}', unsetIt: '移除',
  'error.type': '必须是 {expected}', 'error.enum': '必须是 {expected} 之一', 'error.const': '必须是 {expected}', 'error.minimum': '至少为 {expected}', 'error.maximum': '至多为 {expected}', 'error.exclusiveMinimum': '必须大于 {expected}', 'error.exclusiveMaximum': '必须小于 {expected}', 'error.minLength': '至少需要 {expected} 个字符', 'error.maxLength': '超过 {expected} 个字符', 'error.pattern': '不符合要求的格式（{expected}）', 'error.form': '不符合要求的格式：{form}', 'error.example': '不符合要求的格式，{such}', suchAs: '例如“{example}”', 'error.required': '必填', 'error.unknown': '不是这里的键', 'error.minItems': '至少需要 {expected} 项', 'error.maxItems': '超过 {expected} 项', 'error.anyOf': '不符合任何允许的形式', 'error.uniqueItems': '有重复项', 'error.other': '无效（{expected}）', near: '是否想写 {name}？',
  changes: '{sections} 个配置节中有 {changes} 处更改', changesText: '文件已以文本方式编辑', invalid: '{count} 处无效：{first}', nextStart: '下次启动时生效', review: '查看更改', discard: '放弃',
  save: '保存', 
  
  elsewhere: '{name} 在别处被更改', compare: '比较', keepMine: '保留我的', takeTheirs: '采用对方的', textElsewhere: '编辑期间文件在别处被更改', fileLine: '第 {line} 行',
  readOnly: '现在无法写入', file: 'mynah.config.yml',
})
