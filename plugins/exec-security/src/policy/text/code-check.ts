import { firstReason } from '../first-reason.js'
import { denyProtectedCode, languageOf, namedPaths } from '../programs/code.js'
import { HOLE, displayShape, staticArg, type Arg } from '../words.js'
import { onlyComputes, onlyEdits } from '../programs/small-languages.js'
import type { TextPaths } from './text-paths.js'

/**
 * Calls by which code plainly does more than compute. They are easy to avoid, so this is only a reason to ask. Code of
 * other languages is not read, and not covered.
 */
const DOES_MORE: Readonly<Record<string, RegExp>> = {
  node: /\bchild_process\b|\bspawn(?:Sync)?\s*\(|\bexec(?:File)?Sync\s*\(/,
  bun: /\bchild_process\b|\bBun\s*\.\s*(?:\$|spawn)/,
  deno: /\bDeno\s*\.\s*(?:run|Command)\b|\bchild_process\b/,
  python: /\bsubprocess\b|\bpty\s*\.\s*spawn/,
  jq: /(?<![.\w"$-])env(?![\w":])|\$(?:ENV|__prog_args)\b|\binput_filename\b|\bimport\b|\binclude\b/,
}

/** In Python such a name is a call only together with its module. */
const PYTHON_MODULE = /\b(?:os|posix)\b/
const PYTHON_CALL = /\b(?:system|popen\d?|exec[lv]\w{0,2}|spawn[lv]\w{0,2}|posix_spawnp?|startfile)\b/

/** Returns why a program's own code is not covered. */
export function denyCode(code: Arg, program: string, paths: TextPaths): string | undefined {
  if (isComputed(code)) return `the code given to ${program} is only known when it runs`
  const language = languageOf(program)
  if (doesMore(code.shape, language))
    return `${program} ${displayShape(code)} can run, read or write something that the list does not cover`
  const problem =
    firstReason(namedPaths(code.shape), (path) => paths.deny(staticArg(path), 'read')) ??
    denyProtectedCode(code.shape, program, paths.rules)
  return problem === undefined ? undefined : `${program} would touch ${problem}`
}

function isComputed({ sources, shape }: Arg): boolean {
  const isVariable = sources.includes('variable') && shape.startsWith(HOLE)
  return isVariable || sources.some((source) => /^(?:command|input|process|glob)$/.test(source))
}

function doesMore(code: string, language: string): boolean {
  if (language === 'sed') return !onlyEdits(code)
  if (language === 'awk') return !onlyComputes(code)
  if (DOES_MORE[language]?.test(code) !== false) return true
  return language === 'python' && PYTHON_MODULE.test(code) && PYTHON_CALL.test(code)
}
