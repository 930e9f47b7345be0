/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'logs.maxRecords': '最多保留的日志行数',
}
