import { join, resolve } from 'node:path'
import { definePlugin, HostPaths, ref } from '@mynah/kernel'
import { Speech } from '@mynah/plugin-agent/api'
import { Models, tools } from '@mynah/plugin-ai/api'
import { Chat } from '@mynah/plugin-chat/api'
import { claims } from './config.js'
import { say } from './say.js'
import { ModelSpeech } from './service.js'
import { optionDescriptions } from './option-descriptions.zh.js'

export default definePlugin({
  name: 'speech',
  description: 'Transcribes recordings and speaks answers',
  descriptions: { 'zh-CN': '智能体的语音：听写与朗读' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: claims,
  needs: { paths: ref(HostPaths), models: ref(Models), chat: ref(Chat) },
  provides: [Speech],
  setup(ctx) {
    const { models, chat, log } = ctx
    let config = ctx.config['ai.speech']
    const speech = new ModelSpeech({
      models,
      media: join(ctx.paths.current?.data ?? resolve('data'), 'media'),
      config: () => config,
      log,
    })
    ctx.provide(Speech, speech)
    ctx.contribute(tools, say({ speech, chat }))
    return {
      update(next) {
        config = next['ai.speech']
        return true
      },
    }
  },
})
