import { trimInvisible } from '../util/visible-text.js'

const LONGEST = 12
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'y', 'approve', '是', '好', '好的', '可以', '同意', '批准'].map((word) => [word, true] as const),
  ...['no', 'n', 'deny', '否', '不', '不要', '不行', '拒绝'].map((word) => [word, false] as const),
])

/** Returns whether a text is just a yes or a no, and `undefined` for any other text. */
export const yesOrNo = (text: string): boolean | undefined =>
  text.length > LONGEST
    ? undefined
    : WORDS.get(
        trimInvisible(text)
          .toLowerCase()
          .replace(/[.!。！]$/, ''),
      )
