import { programIn } from '../blacklist.js'
import type { PathRules } from '../path-rules.js'
import { firstReason } from '../first-reason.js'
import { staticArg } from '../words.js'
import { plainAwk } from './awk.js'
import { sedScripts } from './sed.js'
import { onlyComputes, onlyEdits } from './small-languages.js'
import { anyOf } from '../any-of.js'

/** The language of a program, if it has another name. */
const LANGUAGES: Readonly<Record<string, string>> = {
  nodejs: 'node',
  tsx: 'node',
  'ts-node': 'node',
  python2: 'python',
  python3: 'python',
  pypy: 'python',
  pypy3: 'python',
  gawk: 'awk',
  mawk: 'awk',
  nawk: 'awk',
  gsed: 'sed',
}

/** Returns the language of a program's code. */
export const languageOf = (program: string): string => LANGUAGES[program] ?? program

/** A call that takes a folder. Its name is captured by one of the two groups. */
const FOLDER_CALL = anyOf(
  /(?:readdir|cp|rm|rename|copy|listdir|scandir|walk|rmtree)\w{0,12}\s{0,4}\(\s{0,4}["'`]([^"'`\s]{1,300})["'`]/g,
  /(?:copytree|move|chdir|opendir)\w{0,12}\s{0,4}\(\s{0,4}["'`]([^"'`\s]{1,300})["'`]/g,
)

/** The paths that code names: in quotes, with any sign of a path or by what is done with them. */
export function namedPaths(code: string): readonly string[] {
  const folders = [...code.matchAll(FOLDER_CALL)].map(([, first, second = '']) => `./${first ?? second}`)
  return [
    ...folders,
    ...[...code.matchAll(/["'`]([^"'`\s]{1,300})["'`]/g)]
      .map(([, text = '']) => text)
      .filter((text) => /[./]/.test(text)),
  ]
}

/** A file that sed may read or write, behind the letter that does. */
const SED_FILE = /[rRwW](?:[ \t]+|(?=\.{1,2}\/|[~/]\w))([^\n;}]+)/g

/** Calls and modes by which code changes files. */
const CHANGES_FILES =
  /write|append|unlink|rename|mkdir|rmtree|symlink|chmod|truncate|cpSync|copyFile|\brm(?:Sync)?\b|["'][wax]b?\+?["']/

/** Programs whose commands name files without quotes. */
const TAKES_PATHS = /^(?:ed|ex|vim?|nvim|view|sqlite3|psql)$/

/** Whether a statement of awk prints into a file. */
const printsToFile = (code: string): boolean =>
  code
    .split(/[;}]/)
    .some((statement) => statement.includes('print') && statement.includes('>', statement.indexOf('print')))

/** Returns the words with a folder in the commands and messages that code holds. */
function wordsInCode(code: string, program: string): readonly string[] {
  const texts = TAKES_PATHS.test(program)
    ? [code]
    : [...code.matchAll(/["'`]([^"'`]{1,300})["'`]/g)].map(([text]) => text)
  return texts.flatMap((text) => text.split(/[\s!;|<>"'`]+/)).filter((word) => /[\w.]\/[\w.]|^\/\w/.test(word))
}

/**
 * Returns why code touches protected files, in any mode. Code that changes files may change each path that it names.
 */
export function denyProtectedCode(code: string, program: string, paths: PathRules): string | undefined {
  const isSed = languageOf(program) === 'sed'
  const changes = isSed || CHANGES_FILES.test(code) || printsToFile(code)
  const named = isSed ? [...code.matchAll(SED_FILE)].map(([, path = '']) => path) : namedPaths(code)
  return (
    firstReason(
      named,
      (path) =>
        paths.denyProtected(staticArg(path), 'read') ??
        (changes ? paths.denyProtected(staticArg(path), 'write') : undefined),
    ) ??
    firstReason(wordsInCode(code, program), (path) =>
      paths.denyProtected(staticArg(path), TAKES_PATHS.test(program) ? 'write' : 'read'),
    )
  )
}

/** Calls and signs by which code of any language runs programs. */
const CALLS = anyOf(
  /child_process|exec|spawn|system|popen|subprocess|terminal|Bun\.\$|Deno|shell|`|\b(?:qx|open)\b|\|&?\s*getline/,
  /print\s*\||passthru|proc_open|%x\W|job_?start|term_?(?:open|start)/,
)
/** Statements that print a text which is written out. */
const ONLY_PRINTS: Readonly<Record<string, RegExp>> = {
  python: /^\s*(?:print\((?:"[^"\\\n]*"|'[^'\\\n]*')\)[;\s]*)+$/,
  node: /^\s*(?:console\.log\((?:"[^"\\\n]*"|'[^'\\\n]*')\)[;\s]*)+$/,
}
const RUNS_NOTHING: Readonly<Record<string, (code: string) => boolean>> = {
  sed: onlyEdits,
  awk: onlyComputes,
  jq: () => true,
}

/** Returns whether code provably starts no program. */
function runsNothing(code: string, language: string): boolean {
  return RUNS_NOTHING[language]?.(code) ?? ONLY_PRINTS[language]?.test(code) ?? false
}

/** Returns whether code may start programs. A pipe of awk does, in any place that is not seen to be another one. */
export function mayRun(code: string, program: string): boolean {
  const language = languageOf(program)
  if (runsNothing(code, language)) return false
  return language === 'awk' ? /\|/.test(code.replaceAll('||', '')) || CALLS.test(plainAwk(code)) : CALLS.test(code)
}

/** The forbidden command that code plainly starts, in any mode. */
export function codeBlacklisted(code: string, program: string): string | undefined {
  if (!mayRun(code, program)) return undefined
  const plain = languageOf(program) === 'awk' ? plainAwk(code) : code
  return [...plain.matchAll(/[\w./-]+/g)]
    .filter(({ 0: word, index }) => /^["'\s`,;|&)\]]?$/.test(plain.charAt(index + word.length)))
    .map(([word]) => programIn(word))
    .find((name) => name !== undefined)
}

/** Texts in the code of a program that it hands to a shell. Any group that matched is one. */
const SHELL_ESCAPES: readonly (readonly [languages: RegExp, pattern: RegExp])[] = [
  [/^psql$/, /\\!\s*([^\n]+)|\bprogram\s+'([^'\n]*)'|(?<!\|)\|(?!\|)\s*([^\n]+)/gi],
  [/^(?:n?vim?|ex|ed|view)$/, /!\s*([^\n|]+)|\bter(?:m|mi|min|mina|minal)?!?[ \t]+(?:\+\+\S+[ \t]+){0,5}([^\n|]+)/g],
  // An option of vim that names a program, up to its first argument.
  [/^(?:n?vim?|ex|view)$/, /\b(?:\w+prg|mp|gp|ep|fp|kp|shell|sh)=([^\s|\\]+)/g],
  [/^(?:less|more|most)$/, /[!#]\s*([^\n]+)|\|.\s*([^\n]+)/g],
  [/^sqlite3$/, /\.s[hy]\w*\s+([^\n]+)|\|\s*([^\n]+)/gi],
  // A replacement with the flag that runs it, or what follows the command that does.
  [
    /^sed$/,
    /s([^\s\\])(?:\\.|(?!\1)[^\\\n]){0,2000}\1((?:\\.|(?!\1)[^\\\n]){0,2000})\1[gpIMm\d]{0,9}e|e[ \t]+([^\n;]+)/g,
  ],
]

/** The function of SQLite that runs a program. */
const EDIT = /\bedit\s*\(/i
/** Every text that may be the second argument of that function. */
const EDITORS = /,\s*(?:'([^'\n]*)'|"([^"\n]*)")/g

/** The texts in the code of an editor or a database that it hands to a shell. */
export function codeScripts(code: string, program: string): readonly string[] {
  const language = languageOf(program)
  if (runsNothing(code, language)) return []
  const patterns = SHELL_ESCAPES.flatMap(([languages, pattern]) => (languages.test(language) ? [pattern] : []))
  if (language === 'sqlite3' && EDIT.test(code)) patterns.push(EDITORS)
  const matched = patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => match.slice(1).findLast((text) => text !== undefined) ?? ''),
  )
  return language === 'sed' ? [...matched, ...sedScripts(code)] : matched
}
