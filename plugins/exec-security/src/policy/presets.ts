import type { ExecPolicy, ExecPreset } from './types.js'

/** The commands that pass without a list while their arguments only read. */
export const READ_ONLY: readonly string[] = [
  'ls',
  'cat',
  'pwd',
  'date',
  'whoami',
  'grep',
  'find',
  'head',
  'tail',
  'wc',
  'stat',
  'file',
]

const NETWORK: readonly string[] = ['curl', 'wget', 'ping', 'dig', 'nslookup', 'host']

const DEVELOPMENT: readonly string[] = [
  'npm',
  'npx',
  'node',
  'git',
  'gh',
  'python',
  'python3',
  'pip',
  'pnpm',
  'yarn',
  'tsc',
  'bun',
]

/** The commands of each preset. Each preset contains the one before. */
export const PRESETS: Readonly<Record<ExecPreset, ReadonlySet<string>>> = {
  custom: new Set(),
  readonly: new Set(READ_ONLY),
  network: new Set([...READ_ONLY, ...NETWORK]),
  development: new Set([...READ_ONLY, ...NETWORK, ...DEVELOPMENT]),
}

/** Builtins that only steer the shell. Others, such as `echo` and `test`, have to be listed like any command. */
export const STEERING: readonly string[] = ['exit', 'break', 'continue', 'return', 'wait']

/** Which list covers a command word, compared exactly and never as a pattern. */
export function listedBy(word: string, policy: ExecPolicy): string | undefined {
  if (PRESETS[policy.execPreset].has(word)) return `preset:${policy.execPreset}`
  return policy.execAllowlist.includes(word) ? 'allowlist' : undefined
}
