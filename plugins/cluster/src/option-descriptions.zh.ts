/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'cluster.host': '本主机供人识别的名称；默认为机器名',
  'cluster.config': '所有主机共用一份配置（shared），还是各用自己的文件（file，此时控制台不能修改）',
  'cluster.lease': '主机静默多久后视为失效，4s 至 60s；所有主机须相同',
}
