/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'ai.memory.root': 'SOUL.md、AGENTS.md 和 TOOLS.md 所在的目录，相对于配置文件',
  'ai.memory.shared': '使用 main 智能体记忆与用户资料的、带 `match` 的智能体。默认各自独立',
  'ai.memory.scope': '记忆、笔记与回忆是否仅限于主人的私聊',
  'ai.memoryMcp.server': '代替文件保存记忆的 ai.mcpServers 中的服务器',
  'ai.memoryMcp.recall': '该服务器用于搜索的工具',
  'ai.memoryMcp.remember': '该服务器用于保存的工具',
}
