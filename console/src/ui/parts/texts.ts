import { defineTexts } from '../../kit/texts.js'

export const t = defineTexts(
  {
    stale: 'not updated since {time}',
    discardAsk: 'Discard {count}?',
    discard: 'Discard',
    review: 'Review changes',
    unchanged: '1 unchanged line | {count} unchanged lines',
    diff: 'Changes',
    added: 'Added: ',
    removed: 'Removed: ',
    newest: 'Newest',
    newer: 'Newer',
    older: 'Older',
    kept: 'Kept from your last visit, not saved yet.',
    startOver: 'Start over',
  },
  {
    stale: '自 {time} 起未更新',
    discardAsk: '放弃{count}？',
    discard: '放弃',
    review: '查看更改',
    unchanged: '{count} 行未更改',
    diff: '更改',
    added: '新增：',
    removed: '删除：',
    newest: '最新',
    newer: '较新',
    older: '更早',
    kept: '这是上次填写的内容，尚未保存。',
    startOver: '重新填写',
  },
)
