// Words of the introspection page; the names of columns are those of the fields.
import { texts } from '../../kit/texts.js'

export const p = texts({
  fact: 'what the running host knows, as {command} says it in chat',
  commands: 'Commands', endpoints: 'Endpoints', bindings: 'Bindings', tools: 'Tools', mcp: 'MCP', tabs: 'Resources',
  'filter.commands': 'Filter by pattern, desc, plugin', 'filter.endpoints': 'Filter by adapter, name', 'filter.bindings': 'Filter by name, provider, model', 'filter.tools': 'Filter by name, source, description', 'filter.mcp': 'Filter by name',
  'empty.commands': 'No commands', 'empty.endpoints': 'No endpoints', 'empty.bindings': 'No agents', 'empty.tools': 'No tools', 'empty.mcp': 'No MCP servers',
  later: '{what} are listed here as soon as the host is ready. What does not need it is there now.',
  rest: 'The same over REST', copyLink: 'Copy link', copyCurl: 'Copy as curl', noToken: 'without the token', yes: 'yes', no: 'no',
}, {
  fact: '正在运行的主机的内部状况，与聊天命令 {command} 一致',
  commands: '命令', endpoints: '接入点', bindings: '绑定', tools: '工具', mcp: 'MCP', tabs: '资源',
  'filter.commands': '按 pattern、desc、plugin 筛选', 'filter.endpoints': '按 adapter、name 筛选', 'filter.bindings': '按 name、provider、model 筛选', 'filter.tools': '按 name、source、description 筛选', 'filter.mcp': '按 name 筛选',
  'empty.commands': '没有命令', 'empty.endpoints': '没有接入点', 'empty.bindings': '没有智能体', 'empty.tools': '没有工具', 'empty.mcp': '没有 MCP 服务器',
  later: '主机就绪后，{what}会列在这里。不依赖它的功能现在即可使用。',
  rest: '对应的 REST 调用', copyLink: '复制链接', copyCurl: '复制为 curl', noToken: '不含令牌', yes: '是', no: '否',
})
