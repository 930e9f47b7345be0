// Facts about command words and builtins that decide how far a command is followed.
import { hasTilde } from './words.js'
import type { Arg } from './words.js'

/** The value of a command word, or undefined where the shell computes it. */
export function commandWord(name: Arg): string | undefined {
  const { value } = name
  if (value === undefined || value === '') return undefined
  if (hasTilde(name) && !value.includes('/')) return undefined
  // Braces in the text of a command word are not trusted to be literal.
  return /[{}]/.test(name.text) ? undefined : value
}

/** Whether arguments hold text that a builtin would expand or run. */
export function codeLike(args: readonly Arg[]): boolean {
  return args.some((arg) => arg.value === undefined || /[$`]/.test(arg.value) || /^-\w*[CF]/.test(arg.value))
}

/** Whether a builtin takes names in which it evaluates subscripts, or values that it evaluates. */
export function evaluatesNames(base: string, args: readonly Arg[]): boolean {
  if (base === 'let') return true
  if (base === 'test' || base === '[') return args.some((arg, i) => /^-[vR]$/.test(arg.shape) && /\[|\u0000/.test(args[i + 1]?.shape ?? ''))
  if (base === 'printf') return args.some((arg) => arg.shape.startsWith('-v'))
  return args.some((arg) => /^-\w*[in]/.test(arg.shape) || /^[A-Za-z_]\w*\[/.test(arg.shape) || arg.value === undefined)
}
