// Words of the marketplace.
import { texts } from '../../kit/texts.js'

export const p = texts({
  fact: '{total} {total:package|packages}', updatesFact: '1 update for this host | {count} updates for this host', updates: 'Updates', to: '{from} to', machine: 'Installing happens on the machine of the host, not from here.', stale: 'The registry does not answer; this is what it said last.',
  search: 'Search packages', category: 'Category', all: 'All', what: 'packages', name: 'Package', by: 'By', downloads: 'Downloads a week', version: 'Version', here: 'On this host', official: 'official', update: 'update',
  empty: 'No packages yet', emptyText: 'Packages with the keyword mynah-plugin stand here once the registry has some.', noMatch: 'Nothing matches “{words}”',
  back: 'All packages', missing: 'No package {name} in the registry', installed: 'Installed here: {version}', notInstalled: 'Not on this host', upToDate: 'It is the newest.', newer: '{version} is there.',
  install: 'To install it', installText: 'Run this in the folder of the host, then add the line to its configuration and start it again.', yaml: 'Line for the configuration', command: 'Command', readme: 'Readme', noReadme: 'It has no readme',
  about: 'About', license: 'License', author: 'Author', homepage: 'Home page', repository: 'Repository', published: 'Published', keywords: 'Keywords', engines: 'Needs', peers: 'Beside', versions: 'Versions', weekly: 'A week', monthly: 'A month',
  'category.adapter': 'Adapters', 'category.ai': 'AI', 'category.feature': 'Features', 'category.game': 'Games', 'category.service': 'Services', 'category.tool': 'Tools', 'category.theme': 'Themes', 'category.util': 'Utilities',
}, {
  fact: '{total} 个包', updatesFact: '此主机有 {count} 个更新', updates: '更新', to: '{from} 到', machine: '安装需要在主机所在的机器上进行，不能在此完成。', stale: '注册表没有响应；这是它上次的结果。',
  search: '搜索包', category: '类别', all: '全部', what: '包', name: '包', by: '作者', downloads: '每周下载', version: '版本', here: '此主机', official: '官方', update: '更新',
  empty: '还没有包', emptyText: '注册表中带有 mynah-plugin 关键字的包会显示在这里。', noMatch: '没有匹配“{words}”的内容',
  back: '全部包', missing: '注册表中没有 {name}', installed: '此处已安装：{version}', notInstalled: '此主机未安装', upToDate: '已是最新。', newer: '有新版本 {version}。',
  install: '安装方法', installText: '在主机的目录中运行，然后把这一行加入配置并重新启动。', yaml: '配置中的一行', command: '命令', readme: '自述文件', noReadme: '没有说明',
  about: '关于', license: '许可证', author: '作者', homepage: '主页', repository: '仓库', published: '发布时间', keywords: '关键字', engines: '需要', peers: '对等依赖', versions: '版本', weekly: '每周', monthly: '每月',
  'category.adapter': '适配器', 'category.ai': 'AI', 'category.feature': '功能', 'category.game': '游戏', 'category.service': '服务', 'category.tool': '工具', 'category.theme': '主题', 'category.util': '实用',
})
