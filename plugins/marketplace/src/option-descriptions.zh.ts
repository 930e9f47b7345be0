/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'marketplace.registry': 'npm 仓库的地址；默认：npm 所配置的仓库',
  'marketplace.install': '能否在控制台安装包：`off` 不能，`ask` 每个方案都要确认',
  'marketplace.allow': '仅可安装这些包，如 `@acme/*`；默认：全部',
  'marketplace.scripts': '能否确认包的安装脚本。任何脚本都不会自行运行',
}
