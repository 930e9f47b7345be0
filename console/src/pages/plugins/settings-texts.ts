import { defineTexts } from '../../kit/texts.js'

export const t = defineTexts(
  {
    noSettings: 'It has no settings',
    noSettingsText: 'There is nothing to configure, or the plugin is not loaded.',
    wrongSettings: '{wrong} of {all} settings {wrong:is|are} wrong:',
  },
  {
    noSettings: '没有设置',
    noSettingsText: '没有可配置的内容，或插件未加载。',
    wrongSettings: '{all} 项设置中有 {wrong} 项错误：',
  },
)
