// Rules for what Slack takes, from its reference of blocks and of mrkdwn.
type Json = Record<string, unknown>

const lengthOf = (value: unknown): number => (typeof value === 'string' ? [...value].length : -1)
const isBetween = (value: unknown, least: number, most: number): boolean =>
  lengthOf(value) >= least && lengthOf(value) <= most

/** Returns what people read. */
export const plainOf = (text: string): string =>
  text
    .replace(/<@(\w+)>/g, '@$1')
    .replace(/<!(\w+)>/g, '@$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** Characters that Slack reads as marks must be escaped. A `>` at the beginning of a line is a quote. */
export function mistakeInText(text: string): string | undefined {
  const bare = text
    .replace(/<(?:@[UW]\w+|!(?:channel|here)|(?:https?|mailto):[^<>|\s]*(?:\|[^<>]*)?)>/g, '')
    .replace(/^>/gm, '')
    .replace(/&(?:amp|lt|gt);/g, '')
  return /[<>&]/.test(bare) ? `"${text.slice(0, 80)}" is not escaped` : undefined
}

const textMistakes = (text: unknown, type: string, most: number): string[] => {
  const given = text as Json | undefined
  const isRight = given?.type === type && isBetween(given.text, 1, most)
  const wrong = type === 'mrkdwn' ? mistakeInText(String(given?.text)) : undefined
  return [...(isRight ? [] : [`a text is no ${type} of 1 to ${most} characters`]), ...(wrong ? [wrong] : [])]
}

function buttonMistakes({ type, action_id: id, text, value, url, ...more }: Json): string[] {
  return [
    ...(type === 'button' && isBetween(id, 1, 255) ? [] : ['a button needs its type and action_id']),
    ...(value === undefined || isBetween(value, 1, 2_000) ? [] : ['a value is too long']),
    ...(url === undefined || isBetween(url, 1, 3_000) ? [] : ['a url is too long']),
    ...Object.keys(more).map((key) => `a button has no ${key}`),
    ...textMistakes(text, 'plain_text', 75),
  ]
}

function blockMistakes(block: Json): string[] {
  const { type, text, fields, elements, image_url: address, alt_text: alt } = block
  if (type === 'header') return textMistakes(text, 'plain_text', 150)
  if (type === 'image')
    return isBetween(address, 1, 3_000) && isBetween(alt, 1, 2_000) ? [] : ['an image needs image_url and alt_text']
  if (type === 'section' && Array.isArray(fields)) {
    const wrong = (fields as unknown[]).flatMap((field) => textMistakes(field, 'mrkdwn', 2_000))
    return fields.length >= 1 && fields.length <= 10 ? wrong : ['a section has 1 to 10 fields']
  }
  if (type === 'section') return textMistakes(text, 'mrkdwn', 3_000)
  if (type === 'actions') {
    const buttons = (elements ?? []) as Json[]
    const ids = new Set(buttons.map(({ action_id: id }) => id))
    const wrong = buttons.length >= 1 && buttons.length <= 25 && ids.size === buttons.length
    return [...(wrong ? [] : ['actions are 1 to 25 with ids of their own']), ...buttons.flatMap(buttonMistakes)]
  }
  return [`there is no block ${String(type)}`]
}

/** Returns what is wrong with blocks as JSON. */
export function mistakesInBlocks(blocks = '[]'): string[] {
  const list = JSON.parse(blocks) as Json[]
  return [...(list.length > 50 ? ['more than 50 blocks'] : []), ...list.flatMap(blockMistakes)]
}
