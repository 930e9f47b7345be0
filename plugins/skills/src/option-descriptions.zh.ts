/** What each option does, in Chinese. The English text is in its schema. */
export const optionDescriptions = {
  'ai.skills.root': 'skills/、tools/ 和 agents/ 所在的目录，相对于配置文件',
}
