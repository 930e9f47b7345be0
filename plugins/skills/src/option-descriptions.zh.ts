/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'ai.skills.root': 'skills/、tools/ 和 agents/ 所在的目录，相对于配置文件',
}
