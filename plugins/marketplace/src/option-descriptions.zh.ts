/** What each option does, in Chinese. The English text is in its schema. */
export const optionDescriptions = {
  'marketplace.registry': 'npm 仓库的地址；默认：npm 所配置的仓库',
}
