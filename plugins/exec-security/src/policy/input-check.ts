import { anyOf } from './any-of.js'

/** The largest command that is looked at, in UTF-8 bytes. */
export const MAX_COMMAND_BYTES = 16 * 1024

// Control characters except tab and newline, separators of lines, interlinear marks, and all that has no shape of its
// own, such as bidirectional controls, fillers, joiners and tags.
const HIDDEN = anyOf(
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]/u,
  /\p{Default_Ignorable_Code_Point}/u,
)

/** Returns why a text may not reach the parser: it is empty, too long or has hidden characters. */
export function denyInput(command: string): string | undefined {
  if (command.length > MAX_COMMAND_BYTES || Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    return `the command is longer than ${MAX_COMMAND_BYTES} bytes`
  }
  if (command.trim() === '') return 'the command is empty'
  // With the flag `u`, only a lone surrogate matches.
  if (/\p{Surrogate}/u.test(command)) return 'the command is not well-formed Unicode'
  const hidden = HIDDEN.exec(command)
  if (hidden !== null) {
    const code = (hidden[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `the command contains the hidden or control character U+${code}`
  }
  return undefined
}
