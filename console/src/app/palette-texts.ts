// Words of the palette; it comes when it is opened.
import { defineTexts } from '../kit/texts.js'

export const t = defineTexts(
  {
    label: 'Command palette',
    none: 'Nothing matches “{query}”',
    'group.recent': 'Last chosen',
    'group.pages': 'Pages',
    'group.things': 'Things',
    'group.commands': 'Commands',
    plugin: 'plugin',
    endpoint: '{adapter} endpoint',
    botCommand: 'command of {plugin}',
    setting: 'setting of {plugin}',
    'keys.choose': 'choose',
    'keys.open': 'open',
    'keys.beside': 'in a new tab',
    'keys.close': 'close',
  },
  {
    label: '命令面板',
    none: '没有匹配“{query}”的内容',
    'group.recent': '最近选择',
    'group.pages': '页面',
    'group.things': '对象',
    'group.commands': '命令',
    plugin: '插件',
    endpoint: '{adapter} 接入点',
    botCommand: '{plugin} 的机器人命令',
    setting: '{plugin} 的设置',
    'keys.choose': '选择',
    'keys.open': '打开',
    'keys.beside': '在新标签页打开',
    'keys.close': '关闭',
  },
)
