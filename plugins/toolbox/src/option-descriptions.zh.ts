/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'ai.toolbox.root': '文件工具的工作目录，相对于配置文件',
  'ai.toolbox.roles': '可以使用某个工具的角色，以工具全名书写：本插件的、其他插件的，或 `<server>__<tool>`',
  'ai.toolbox.search.provider': '搜索服务；设置了 url 时默认为 searxng',
  'ai.toolbox.search.url': 'SearXNG 服务器的地址，或 Brave、Tavily 的另一地址',
  'ai.toolbox.search.key': 'Brave 或 Tavily 的 API 密钥',
}
