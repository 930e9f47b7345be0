// Escapes untrusted text for a terminal, so that it can neither move the cursor nor forge lines.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const UNSEEN_IN_JSON = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const hex = (character: string, digits: number): string => character.charCodeAt(0).toString(16).padStart(digits, '0')

/** Escapes control characters and characters that change the writing direction. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) =>
    character.charCodeAt(0) < 256 ? `\\x${hex(character, 2)}` : `\\u${hex(character, 4)}`,
  )

/** Escapes each line of a text with trusted line breaks. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

/** Escapes JSON, which already escapes most control characters. */
export const visibleJson = (json: string): string =>
  json.replace(UNSEEN_IN_JSON, (character) => `\\u${hex(character, 4)}`)
