/** Slack's names of frequent emojis. Others are known by their names only. */
const NAMES: Readonly<Record<string, string>> = {
  '+1': '👍',
  '-1': '👎',
  '100': '💯',
  astonished: '😲',
  bell: '🔔',
  blush: '😊',
  boom: '💥',
  broken_heart: '💔',
  bug: '🐛',
  bulb: '💡',
  clap: '👏',
  coffee: '☕',
  cry: '😢',
  eyes: '👀',
  fire: '🔥',
  grin: '😁',
  grinning: '😀',
  handshake: '🤝',
  heart: '❤️',
  heart_eyes: '😍',
  hourglass_flowing_sand: '⏳',
  hugging_face: '🤗',
  joy: '😂',
  laughing: '😆',
  lock: '🔒',
  mag: '🔍',
  memo: '📝',
  muscle: '💪',
  no_entry_sign: '🚫',
  ok_hand: '👌',
  partying_face: '🥳',
  pray: '🙏',
  question: '❓',
  raised_hands: '🙌',
  rage: '😡',
  robot_face: '🤖',
  rocket: '🚀',
  rolling_on_the_floor_laughing: '🤣',
  scream: '😱',
  see_no_evil: '🙈',
  slightly_smiling_face: '🙂',
  smile: '😄',
  sob: '😭',
  sparkles: '✨',
  star: '⭐',
  sunglasses: '😎',
  tada: '🎉',
  thinking_face: '🤔',
  thumbsdown: '👎',
  thumbsup: '👍',
  warning: '⚠️',
  wave: '👋',
  white_check_mark: '✅',
  wink: '😉',
  x: '❌',
}
const plain = (emoji: string): string => emoji.replaceAll('\ufe0f', '')
const BY_EMOJI = new Map(Object.entries(NAMES).map(([name, emoji]) => [plain(emoji), name]))
for (const name of ['+1', '-1']) BY_EMOJI.set(plain(NAMES[name] ?? ''), name)

/** Returns the emoji with this name; the name itself where it is not known or of the workspace. */
export const emojiOf = (name: string): string => NAMES[name.split('::')[0] ?? ''] ?? name

/** Returns Slack's name of an emoji, or of what is a name already. */
export function emojiName(emoji: string): string | undefined {
  const name = emoji.replace(/^:(.*):$/, '$1')
  return BY_EMOJI.get(plain(emoji)) ?? (/^[\p{Ll}\p{N}_'+-]{1,100}$/u.test(name) ? name : undefined)
}
