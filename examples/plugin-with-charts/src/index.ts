// The plugin: the page, and nothing else; its figures come from the host's own operations.
import { consoleEntries, definePlugin } from 'mynah'

export default definePlugin({
  name: 'memory-chart',
  description: 'Draws the memory of the host on a page of the console',
  descriptions: { 'zh-CN': '在控制台页面上绘制主机的内存' },
  version: '0.1.0',
  setup(ctx) {
    ctx.contribute(consoleEntries, {
      id: 'memory-chart',
      name: 'Memory chart',
      module: new URL('../client/dist/index.js', import.meta.url),
    })
  },
})
