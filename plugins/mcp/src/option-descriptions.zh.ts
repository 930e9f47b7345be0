/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'ai.mcpServers.<name>.command': '要启动的程序；它通过标准输入输出交换消息',
  'ai.mcpServers.<name>.args': '命令的参数',
  'ai.mcpServers.<name>.env': '除 PATH、HOME 和 LANG 之外的环境变量；主机的其他变量不会传入',
  'ai.mcpServers.<name>.cwd': '工作目录，相对于配置文件',
  'ai.mcpServers.<name>.url': '使用 streamable HTTP 的服务器地址，旧服务器则使用 SSE',
  'ai.mcpServers.<name>.headers': '对 `url` 的每个请求的标头',
  'ai.mcpServers.<name>.include': '仅提供这些工具，名称以服务器所列为准',
  'ai.mcpServers.<name>.exclude': '不提供的工具的名称',
  'ai.mcpServers.<name>.startTimeout': '一次启动的时限，毫秒；默认 60,000，启动过慢之后最多为其八倍',
  'ai.mcpServers.<name>.timeout': '一次调用的时限，毫秒；默认 120,000',
  'ai.mcpServers.<name>.roles':
    '可以使用这些工具的角色；默认 trusted 和 master。声明会更改内容的工具始终需要这些角色，除非 `ai.toolbox.roles` 写明了它们',
  'ai.mcpServers.<name>.disabled': '停用该服务器',
  'ai.mcpServers': '按名称列出的 MCP 服务器',
}
