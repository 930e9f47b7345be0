/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'cluster.host': '本主机供人识别的名称；默认为机器名',
  'cluster.lease': '主机静默多久后视为失效，4s 至 60s；所有主机须相同',
}
