/** Emojis and the names that Lark has for them. */
const NAMES: readonly (readonly [emoji: string, name: string])[] = [
  ['👍', 'THUMBSUP'],
  ['👎', 'ThumbsDown'],
  ['👌', 'OK'],
  ['👏', 'APPLAUSE'],
  ['🙏', 'THANKS'],
  ['💪', 'MUSCLE'],
  ['❤️', 'HEART'],
  ['😊', 'SMILE'],
  ['😆', 'LAUGH'],
  ['😭', 'SOB'],
  ['🤔', 'THINKING'],
  ['🎉', 'PARTY'],
  ['🔥', 'Fire'],
  ['✅', 'CheckMark'],
  ['❌', 'CrossMark'],
]
const byEmoji = new Map(NAMES)
const byName = new Map(NAMES.map(([emoji, name]) => [name, emoji]))

/** Returns an emoji of Lark; its name where there is no character. */
export const emojiOf = (name: string): string => byName.get(name) ?? name

/** Returns the name of an emoji; `undefined` where Lark has none. */
export const nameOfEmoji = (emoji: string): string | undefined =>
  byEmoji.get(emoji) ?? (/^\w{2,64}$/.test(emoji) ? emoji : undefined)
