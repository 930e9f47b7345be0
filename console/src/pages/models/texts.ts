// Words of the page of models and MCP servers.
import { texts } from '../../kit/texts.js'

export const p = texts({
  failedN: '1 provider failed | {count} providers failed', coolingN: '1 model cools down | {count} models cool down', awayN: '1 server away | {count} servers away', heldN: '1 tool held | {count} tools held', well: 'everything answers', discover: 'Discover again', refresh: 'Refresh',
  providers: 'Providers', providersFact: 'best score first; an agent without a model takes the first of its provider', model: 'Model', score: 'Score', window: 'Window', can: 'Can', used: 'Used by', state: 'State', failed: 'failed', discovering: 'discovering', back: 'back in', noModels: 'no models known', config: 'Its settings', models: 'Models of {name}',
  'can.vision': 'vision', 'can.toolCalling': 'tools', 'can.thinking': 'thinking', 'can.audio': 'audio', 'can.imageGeneration': 'images', until: 'Until then others answer for it.',
  emptyProviders: 'No providers', emptyProvidersText: 'Add one under ai.providers.', servers: 'MCP servers', serversFact: '{connected} of {count} connected', server: 'Server', over: 'Over', tools: 'Tools', since: 'connected for {time}', away: 'not connected', again: 'tries again in', restart: 'Restart', actions: 'Actions for {name}', held: '1 tool held | {count} tools held',
  differs: 'differs from what was accepted, and no agent gets it. As the server describes it now:', accept: 'Accept {name}…', acceptAsk: 'Accept the tools of {name}?', acceptText: 'Agents will be given these descriptions as the server states them now. Read them as text from outside.', acceptDo: 'Accept', accepted: '{name} was accepted', restarted: '{name} is starting again', emptyServers: 'No MCP servers', emptyServersText: 'Add one under ai.mcpServers.', showTools: 'Show its tools', hideTools: 'Hide its tools',
}, {
  failedN: '{count} 个提供方失败', coolingN: '{count} 个模型冷却中', awayN: '{count} 个服务器断开', heldN: '{count} 个工具被扣留', well: '一切都有回应', discover: '重新发现', refresh: '刷新',
  providers: '提供方', providersFact: '评分最高在前；未指定模型的智能体使用其提供方的第一个', model: '模型', score: '评分', window: '窗口', can: '能力', used: '使用者', state: '状态', failed: '失败', discovering: '发现中', back: '恢复还有', noModels: '没有已知模型', config: '其设置', models: '{name} 的模型',
  'can.vision': '视觉', 'can.toolCalling': '工具', 'can.thinking': '思考', 'can.audio': '音频', 'can.imageGeneration': '图像', until: '在此之前由其他模型回答。',
  emptyProviders: '没有提供方', emptyProvidersText: '请在 ai.providers 下添加。', servers: 'MCP 服务器', serversFact: '{count} 个中的 {connected} 个已连接', server: '服务器', over: '方式', tools: '工具', since: '已连接 {time}', away: '未连接', again: '重试还有', restart: '重启', actions: '{name} 的操作', held: '{count} 个工具被扣留',
  differs: '与已接受的不同，智能体无法使用。服务器现在的描述：', accept: '接受 {name}…', acceptAsk: '接受 {name} 的工具？', acceptText: '智能体将得到服务器现在给出的这些描述。请把它们当作外部文字阅读。', acceptDo: '接受', accepted: '已接受 {name}', restarted: '{name} 正在重新启动', emptyServers: '没有 MCP 服务器', emptyServersText: '请在 ai.mcpServers 下添加。', showTools: '显示其工具', hideTools: '隐藏其工具',
})
