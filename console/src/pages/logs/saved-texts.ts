import { defineTexts } from '../../kit/texts.js'

export const t = defineTexts(
  { views: 'Saved filters', save: 'Save “{name}”', forget: 'Remove these filters from the list' },
  { views: '已保存的筛选', save: '保存“{name}”', forget: '从列表中移除此筛选' },
)
