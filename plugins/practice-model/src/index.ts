// The plugin `practice-model`: a model that answers from a script, as long as the host has no other.
import { definePlugin } from '@mynah/kernel'
import { modelServers } from '@mynah/plugin-ai/api'
import { serve } from './serve.js'

export default definePlugin({
  name: 'practice-model',
  description: 'A scripted model to practise with: no key, no intelligence',
  descriptions: { 'zh-CN': '练习用的脚本模型：无需密钥，也没有智能' },
  setup(ctx) {
    ctx.contribute(modelServers, { alias: 'practice', handle: (request) => serve(request, ctx) })
  },
})
