import { defineTexts } from '../kit/texts.js'

export const t = defineTexts(
  {
    code: '{plugin} does not run its new code',
    types: 'Mistake in the types',
    page: 'The page cannot be built',
    more: 'and {count} more',
  },
  {
    code: '{plugin} 没有运行新代码',
    types: '类型错误',
    page: '页面无法构建',
    more: '另有 {count} 个',
  },
)
