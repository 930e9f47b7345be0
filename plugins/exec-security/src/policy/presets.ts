// The commands that a preset lists, and the builtins that no list needs.
import type { ExecPolicy, ExecPreset } from './types.js'

/** The commands that pass without a list while their arguments only read. */
export const READ_ONLY: readonly string[] = ['ls', 'cat', 'pwd', 'date', 'whoami', 'grep', 'find', 'head', 'tail', 'wc', 'stat', 'file']

const NETWORK: readonly string[] = ['curl', 'wget', 'ping', 'dig', 'nslookup', 'host']

const DEVELOPMENT: readonly string[] = ['npm', 'npx', 'node', 'git', 'gh', 'python', 'python3', 'pip', 'pnpm', 'yarn', 'tsc', 'bun']

/** What each preset lists; each contains the one before. */
export const PRESETS: Readonly<Record<ExecPreset, ReadonlySet<string>>> = {
  custom: new Set(),
  readonly: new Set(READ_ONLY),
  network: new Set([...READ_ONLY, ...NETWORK]),
  development: new Set([...READ_ONLY, ...NETWORK, ...DEVELOPMENT])
}

/** Builtins that change nothing outside the command line and run nothing else. */
const HARMLESS_BUILTINS = new Set(['echo', 'printf', 'true', 'false', ':', 'test', '[', 'exit', 'break', 'continue', 'return', 'wait', 'type'])

/** Which list covers a command word, compared exactly and never as a pattern. */
export function listedBy(word: string, policy: ExecPolicy): string | undefined {
  if (PRESETS[policy.execPreset].has(word)) return `preset:${policy.execPreset}`
  return policy.execAllowlist.includes(word) ? 'allowlist' : undefined
}

/** Whether a word is a builtin that only speaks or steers. */
export function harmlessBuiltin(word: string): boolean {
  return HARMLESS_BUILTINS.has(word)
}
