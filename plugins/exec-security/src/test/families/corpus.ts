// The sample cases of the policy: each with the decision that it must get, at the level that it is judged for.
import { readFileSync } from 'node:fs'
import type { ExecLevel } from '../../levels/level.js'
import type { ExecPolicy } from '../../policy/index.js'

export interface Case extends ExecPolicy {
  readonly id: string
  readonly command: string
  readonly expect: 'allow' | 'ask' | 'deny' | 'not-allow'
  readonly why: string
  /** The level that it is judged at. At level `wall`, a case of level `none` is held by what the command sees. */
  readonly level: ExecLevel
}

export const CORPUS: readonly Case[] = readFileSync(
  new URL('../../../src/test/fixtures/exec-examples.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)
