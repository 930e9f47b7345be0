/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'marketplace.registry': 'npm 仓库的地址；默认：npm 所配置的仓库',
}
