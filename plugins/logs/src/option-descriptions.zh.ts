/** What each option does, in Chinese. The English text is in its schema. */
export const optionDescriptions = {
  'logs.maxRecords': '最多保留的日志行数',
}
