import { resolve } from 'node:path'
import { definePlugin, HostPaths, ref } from '@mynah/kernel'
import { Renderer } from '@mynah/plugin-chat/api'
import { claims } from './config.js'
import { Drawing } from './drawing.js'
import { optionDescriptions } from './option-descriptions.zh.js'

export default definePlugin({
  name: 'renderer',
  description: 'Pictures of HTML and Markdown, for platforms that show no formatted text',
  descriptions: { 'zh-CN': '把 HTML 与 Markdown 绘成图片，供不显示格式文本的平台使用' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: claims,
  needs: { paths: ref(HostPaths) },
  provides: [Renderer],
  setup(ctx) {
    let { renderer: config } = ctx.config
    const root = ctx.paths.current?.root ?? resolve('.')
    const drawing = new Drawing(ctx.clock, ctx.log)
    ctx.onDispose('worker', () => drawing.close())
    ctx.provide(Renderer, {
      render(text) {
        const { width, scale, theme, fonts } = config
        return drawing.draw({ text, look: { width, scale, theme, fonts: fonts.map((path) => resolve(root, path)) } })
      },
    })
    return {
      update(next) {
        config = next.renderer
        return true
      },
    }
  },
})
