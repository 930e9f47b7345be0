import { programIn } from '../blacklist.js'
import type { PathRules } from '../path-rules.js'
import { firstReason } from '../first-reason.js'
import { HOLE, displayShape, staticArg, type Arg } from '../words.js'
import { plainAwk } from './awk.js'
import { parseSed } from './sed.js'
import { anyOf } from '../any-of.js'

/** Calls by which code plainly starts other programs. They are easy to avoid, so this is only a reason to ask. */
const STARTS_PROGRAMS: Readonly<Record<string, RegExp>> = {
  node: /\bchild_process\b|\bspawn(?:Sync)?\s*\(|\bexec(?:File)?Sync\s*\(/,
  bun: /\bchild_process\b|\bBun\s*\.\s*(?:\$|spawn)/,
  deno: /\bDeno\s*\.\s*(?:run|Command)\b|\bchild_process\b/,
  python: /\bsubprocess\b|\bpty\s*\.\s*spawn/,
  perl: /\b(?:system|exec|qx|fork|open)\b|`|\|\s{0,8}["']/,
  ruby: /\b(?:system|exec|spawn|popen\w*|Open3|fork)\b|`|%x/,
  php: /\b(?:system|exec|shell_exec|passthru|proc_open|popen|pcntl_exec)\s*\(|`/,
  lua: /\bos\s*\.\s*execute|\bio\s*\.\s*popen/,
}

/** In Python such a name is a call only together with its module. */
const PYTHON_MODULE = /\b(?:os|posix)\b/
const PYTHON_CALL = /\b(?:system|popen\d?|exec[lv]\w{0,2}|spawn[lv]\w{0,2}|posix_spawnp?|startfile)\b/

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

const isAwk = (program: string): boolean => (LANGUAGES[program] ?? program) === 'awk'

type CodeCheck = (code: Arg, program: string) => string | undefined

/** The checks of languages that can do so little that nothing else has to be looked at. */
const ONLY_CHECK: ReadonlyMap<string, CodeCheck> = new Map([
  ['sed', (code: Arg, program: string) => (onlyEdits(code.shape) ? undefined : doesMore(code, program))],
  [
    'jq',
    ({ shape }: Arg, program: string) =>
      JQ_ENVIRONMENT.test(shape) ? `${program} would show the environment` : undefined,
  ],
  ['psql', (code: Arg, program: string) => (PSQL_FILES.test(code.shape) ? doesMore(code, program) : undefined)],
  ['sqlite3', (code: Arg, program: string) => (SQLITE_FILES.test(code.shape) ? doesMore(code, program) : undefined)],
  ...['vi', 'vim', 'nvim', 'view', 'ex', 'ed', 'emacs'].map((editor) => [editor, doesMore] as const),
])

const JQ_ENVIRONMENT = /(?<![.\w"$-])env(?![\w":])|\$(?:ENV|__prog_args)\b|\binput_filename\b|\bimport\b|\binclude\b/
const PSQL_FILES = /\\|\b(?:program|copy|pg_\w+_file|pg_ls_\w+|lo_import|lo_export|dblink\w*)\b/i
const SQLITE_DOT = /(?:^|\n|;)[^\S\n]*\./
const SQLITE_CALL = /\b(?:readfile|writefile|fsdir|lsdir|lsmode|zipfile|sqlar_\w+|load_extension|edit|attach)\b/
const SQLITE_OTHER = /\b(?:vacuum\s+into|fts3_tokenizer|(?:temp|data)_store_directory|using\s+(?:csv|fileio))\b/
const SQLITE_FILES = new RegExp(`${SQLITE_DOT.source}|${SQLITE_CALL.source}|${SQLITE_OTHER.source}`, 'i')

function doesMore(code: Arg, program: string): string {
  return `${program} ${displayShape(code)} can run, read or write something that the list does not cover`
}

/** Returns why a program's own code is not covered. */
export function denyCode(code: Arg, program: string, paths: PathRules): string | undefined {
  const language = LANGUAGES[program] ?? program
  if (isComputed(code)) return `the code given to ${program} is only known when it runs`
  const check = ONLY_CHECK.get(language)
  if (check !== undefined) return check(code, program)
  if (language === 'awk' && !(awkOnlyComputes(code.shape) && awkOnlyComputes(plainAwk(code.shape))))
    return doesMore(code, program)
  if (code.sources.includes('variable') && code.shape.startsWith(HOLE))
    return `the code given to ${program} is only known when it runs`
  if (startsPrograms(code.shape, language)) return `the code given to ${program} would start other programs`
  const problem =
    firstReason(namedPaths(code.shape, language), (path) => paths.deny(staticArg(path), 'read')) ??
    denyProtectedCode(code.shape, program, paths)
  return problem === undefined ? undefined : `${program} would touch ${problem}`
}

function isComputed({ sources }: Arg): boolean {
  return sources.some(
    (source) => source === 'command' || source === 'input' || source === 'process' || source === 'glob',
  )
}

function startsPrograms(code: string, language: string): boolean {
  if (STARTS_PROGRAMS[language]?.test(code) === true) return true
  return language === 'python' && PYTHON_MODULE.test(code) && PYTHON_CALL.test(code)
}

/** A call that takes a folder. Its name is captured by one of the two groups. */
const FOLDER_CALL = anyOf(
  /(?:readdir|cp|rm|rename|copy|listdir|scandir|walk|rmtree)\w{0,12}\s{0,4}\(\s{0,4}["'`]([^"'`\s]{1,300})["'`]/g,
  /(?:copytree|move|chdir|opendir)\w{0,12}\s{0,4}\(\s{0,4}["'`]([^"'`\s]{1,300})["'`]/g,
)

/** The paths that code names: in quotes, with any sign of a path or by what is done with them. */
function namedPaths(code: string, language: string): readonly string[] {
  if (language === 'sed') return parseSed(code).actions.flatMap(({ file = [] }) => file)
  const folders = [...code.matchAll(FOLDER_CALL)].map(([, first, second = '']) => `./${first ?? second}`)
  return [
    ...folders,
    ...[...code.matchAll(/["'`]([^"'`\s]{1,300})["'`]/g)]
      .map(([, text = '']) => text)
      .filter((text) => /[./]/.test(text)),
  ]
}

/** Calls and modes by which code changes files. */
const CHANGES_FILES =
  /write|append|unlink|rename|mkdir|rmtree|symlink|chmod|truncate|cpSync|copyFile|\brm(?:Sync)?\b|["'][wax]b?\+?["']/

/** Whether a statement of awk prints into a file. */
const printsToFile = (code: string): boolean =>
  code
    .split(/[;}]/)
    .some((statement) => statement.includes('print') && statement.includes('>', statement.indexOf('print')))

/**
 * Returns why code touches protected files, in any mode. Code that changes files may change each path that it names.
 */
export function denyProtectedCode(code: string, program: string, paths: PathRules): string | undefined {
  const language = LANGUAGES[program] ?? program
  const changes = language === 'sed' || CHANGES_FILES.test(code) || printsToFile(code)
  return firstReason(
    namedPaths(code, language),
    (path) =>
      paths.denyProtected(staticArg(path), 'read') ??
      (changes ? paths.denyProtected(staticArg(path), 'write') : undefined),
  )
}

/** Calls and signs by which code of any language runs programs. */
const CALLS = anyOf(
  /child_process|exec|spawn|system|popen|subprocess|terminal|Bun\.\$|Deno|shell|`|\b(?:qx|open)\b|\|\s*getline/,
  /print\s*\|/,
)

/** The forbidden command that code plainly starts, in any mode. */
export function codeBlacklisted(code: string, program: string): string | undefined {
  if (program === 'jq') return undefined
  const plain = isAwk(program) ? plainAwk(code) : code
  if (!CALLS.test(plain)) return undefined
  return [...plain.matchAll(/[\w./-]+/g)]
    .filter(({ 0: word, index }) => /^["'\s`,;|&)\]]?$/.test(plain.charAt(index + word.length)))
    .map(([word]) => programIn(word))
    .find((name) => name !== undefined)
}

/** The texts in the code of an editor or a database that it hands to a shell. */
export function codeScripts(code: string, program: string): readonly string[] {
  const language = LANGUAGES[program] ?? program
  if (language === 'sed') return sedScripts(code)
  const pattern = SHELL_ESCAPES.find(([languages]) => languages.test(language))?.[1]
  if (pattern === undefined) return []
  return [...code.matchAll(pattern)].map((match) => match.slice(1).find((text) => text !== undefined) ?? '')
}

/** How the code of a program hands a text to a shell. */
const SHELL_ESCAPES: readonly (readonly [languages: RegExp, pattern: RegExp])[] = [
  [/^psql$/, /\\!\s*([^\n]+)/g],
  [/^(?:n?vim?|ex|ed|view)$/, /!\s*([^\n|]+)/g],
  [/^sqlite3$/, /\.s[hy]\w*\s+([^\n]+)|\|\s*([^\n]+)|\bedit\s*\([^\n]*?,\s*'([^'\n]*)'/gi],
]

/** Of what could not be read, every text behind the letter that runs one. */
function sedScripts(code: string): readonly string[] {
  const { actions, unread } = parseSed(code)
  return [
    ...actions.flatMap(({ runs }) => runs ?? []),
    ...[...unread.matchAll(/e[ \t]+([^\n;]+)/g)].map(([, text = '']) => text),
  ]
}

function onlyEdits(script: string): boolean {
  const { actions, unread } = parseSed(script)
  return actions.length === 0 && unread === ''
}

// A string, a comment, or a pattern where an operand is expected.
const AWK_DATA = /"(?:\\[^]|[^"\\])*"|#[^\n]*|(?<=(?:^|[(,!~{};&|=])\s{0,8})\/(?:\\.|[^/\\\n])+\//g

/** awk may compute and print, but neither start programs nor write or read other files, nor show the environment. */
function awkOnlyComputes(code: string): boolean {
  const bare = code.replaceAll(AWK_DATA, '""')
  const readsFile = code
    .split(/[;}\n]/)
    .some((statement) => statement.includes('getline') && statement.lastIndexOf('<') > statement.indexOf('getline'))
  return (
    !readsFile &&
    !/\bsystem\s*\(|\|\s*(?:&\s*)?getline|@(?:load|include)\b|\bENVIRON\b|\bPROCINFO\b/.test(code) &&
    !/\|&|print(?:(?!print)[^;}\n])*(?:>|(?<!\|)\|(?!\|))/.test(bare) &&
    !/(?<!\w)@\s*[A-Za-z_]/.test(bare)
  )
}
