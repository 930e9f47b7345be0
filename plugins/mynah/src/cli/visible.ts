// Text of whatever origin on its way to a terminal: nothing in it moves the cursor, and no line feed begins a line of its own.

const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const UNSEEN_IN_JSON = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const hex = (character: string, digits: number): string => character.charCodeAt(0).toString(16).padStart(digits, '0')

/** The text with control characters, and those that turn the direction of writing, as escapes. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) =>
    character.charCodeAt(0) < 256 ? `\\x${hex(character, 2)}` : `\\u${hex(character, 4)}`,
  )

/** The same line by line, for text whose line breaks are our own. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

/** The same of JSON, which escapes the rest itself. */
export const visibleJson = (json: string): string =>
  json.replace(UNSEEN_IN_JSON, (character) => `\\u${hex(character, 4)}`)
