// Reads the commands that chat users, administrators and developers type on a day: one a line, with `⏎` for the end of
// a line in a command.
import { readFileSync } from 'node:fs'

const everyday = (name: string): readonly string[] => lines(`everyday-${name}`)

const lines = (name: string): readonly string[] =>
  readFileSync(new URL(`../../../src/test/fixtures/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.replaceAll('⏎', '\n'))

export const EVERYDAY_READONLY = everyday('readonly')
export const EVERYDAY_NETWORK = everyday('network')
export const EVERYDAY_DEVELOPMENT = everyday('development')
/** Of programs that an owner lists by name. */
export const EVERYDAY_OWNER = everyday('owner')
/** With no list at all, but the blacklist. */
export const EVERYDAY_FULL = everyday('full')
/** Commands of developers in a folder of their own, most of them with an effect. */
export const ORDINARY_WRITABLE = lines('ordinary-writable')
