/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'ai.knowledge': '智能体可以搜索的文档集，按名称列出',
  'ai.knowledge.<name>.paths': '文件夹与文件，相对于配置文件；不写则该文档集只有上传的文件',
  'ai.knowledge.<name>.roles': '可以搜索它的角色；默认 trusted 和 master',
}
