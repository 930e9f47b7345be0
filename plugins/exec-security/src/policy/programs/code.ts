// Code that stands on the command line: what little of it can be told, and what is refused for it.
import { programIn } from '../blacklist.js'
import type { PathRules } from '../path-rules.js'
import { firstReason } from '../first-reason.js'
import { HOLE, displayShape, staticArg, type Arg } from '../words.js'
import { parseSed } from './sed.js'

/** Calls by which code plainly starts other programs. It is easily spelled around: no wall, but a question worth asking. */
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

/** In Python such a call has a name of its own only beside the module that it belongs to. */
const PYTHON_MODULE = /\b(?:os|posix)\b/
const PYTHON_CALL = /\b(?:system|popen\d?|exec[lv]\w{0,2}|spawn[lv]\w{0,2}|posix_spawnp?|startfile)\b/

const SHORT: Readonly<Record<string, string>> = {
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

/** Why a program's own code is not covered, or undefined. */
export function denyCode(code: Arg, program: string, paths: PathRules): string | undefined {
  const language = SHORT[program] ?? program
  const computed = code.sources.some(
    (source) => source === 'command' || source === 'input' || source === 'process' || source === 'glob',
  )
  if (computed) return `the code given to ${program} is only known when it runs`
  switch (language) {
    case 'sed':
      return onlyEdits(code.shape)
        ? undefined
        : `${program} ${displayShape(code)} can run, read or write something that the list does not cover`
    case 'awk':
      if (!awkOnlyComputes(code.shape))
        return `${program} ${displayShape(code)} can run or write something that the list does not cover`
      break
    case 'jq':
      return /(?<![.\w"$-])env(?![\w":])|\$(?:ENV|__prog_args)\b|\binput_filename\b|\bimport\b|\binclude\b/.test(
        code.shape,
      )
        ? `${program} would show the environment`
        : undefined
    case 'psql':
      return /\\|\b(?:program|copy|pg_\w+_file|pg_ls_\w+|lo_import|lo_export|dblink\w*)\b/i.test(code.shape)
        ? `${program} ${displayShape(code)} can run or write something that the list does not cover`
        : undefined
    case 'sqlite3':
      return /(?:^|\n|;)[^\S\n]*\.|\b(?:readfile|writefile|load_extension|edit|attach|vacuum\s+into|fts3_tokenizer)\b/i.test(
        code.shape,
      )
        ? `${program} ${displayShape(code)} can run or write something that the list does not cover`
        : undefined
    case 'vi':
    case 'vim':
    case 'nvim':
    case 'view':
    case 'ex':
    case 'ed':
    case 'emacs':
      return `${program} ${displayShape(code)} can run or write something that the list does not cover`
    default:
  }
  if (code.sources.includes('variable') && code.shape.startsWith(HOLE))
    return `the code given to ${program} is only known when it runs`
  if (
    STARTS_PROGRAMS[language]?.test(code.shape) === true ||
    (language === 'python' && PYTHON_MODULE.test(code.shape) && PYTHON_CALL.test(code.shape))
  )
    return `the code given to ${program} would start other programs`
  const problem =
    firstReason(namedPaths(code.shape, language), (path) => paths.deny(staticArg(path), 'read')) ??
    denyProtectedCode(code.shape, program, paths)
  return problem === undefined ? undefined : `${program} would touch ${problem}`
}

/** The paths that code names: in quotes, with any sign of a path or by what is done with them. */
function namedPaths(code: string, language: string): readonly string[] {
  if (language === 'sed') return parseSed(code).actions.flatMap(({ file = [] }) => file)
  const folders = [
    ...code.matchAll(
      /(?:readdir|cp|rm|rename|copy|listdir|scandir|walk|rmtree|copytree|move|chdir|opendir)\w{0,12}\s{0,4}\(\s{0,4}["'`]([^"'`\s]{1,300})["'`]/g,
    ),
  ].map(([, text = '']) => `./${text}`)
  return [
    ...folders,
    ...[...code.matchAll(/["'`]([^"'`\s]{1,300})["'`]/g)]
      .map(([, text = '']) => text)
      .filter((text) => /[./]/.test(text)),
  ]
}

/** Whether a statement of awk prints into a file. */
const printsToFile = (code: string): boolean =>
  code
    .split(/[;}]/)
    .some((statement) => statement.includes('print') && statement.includes('>', statement.indexOf('print')))

/** Why code touches what decides over the host, in any mode; code that changes files at all may mean each path that it names. */
export function denyProtectedCode(code: string, program: string, paths: PathRules): string | undefined {
  const language = SHORT[program] ?? program
  const changes =
    language === 'sed' ||
    /write|append|unlink|rename|mkdir|rmtree|symlink|chmod|truncate|cpSync|copyFile|\brm(?:Sync)?\b|["'][wax]b?\+?["']/.test(
      code,
    ) ||
    printsToFile(code)
  return firstReason(
    namedPaths(code, language),
    (path) =>
      paths.denyProtected(staticArg(path), 'read') ??
      (changes ? paths.denyProtected(staticArg(path), 'write') : undefined),
  )
}

/** Calls and signs by which code of any language runs programs. */
const CALLS =
  /child_process|exec|spawn|system|popen|subprocess|terminal|Bun\.\$|Deno|shell|`|\b(?:qx|open)\b|\|\s*getline|print\s*\|/

/** The forbidden command that code plainly starts, in any mode. */
export function codeBlacklisted(code: string, program: string): string | undefined {
  if (program === 'jq' || !CALLS.test(code)) return undefined
  return [...code.matchAll(/[\w./-]+/g)]
    .filter(({ 0: word, index }) => /^["'\s`,;|&)\]]?$/.test(code.charAt(index + word.length)))
    .map(([word]) => programIn(word))
    .find((name) => name !== undefined)
}

/** The texts in the code of an editor or a database that it hands to a shell. */
export function codeScripts(code: string, program: string): readonly string[] {
  const language = SHORT[program] ?? program
  if (language === 'sed') return sedScripts(code)
  const found =
    language === 'psql'
      ? code.matchAll(/\\!\s*([^\n]+)/g)
      : /^(?:n?vim?|ex|ed|view)$/.test(language)
        ? code.matchAll(/!\s*([^\n|]+)/g)
        : language === 'sqlite3'
          ? code.matchAll(/\.(?:shell|system)\s+([^\n]+)|\|\s*([^\n]+)/g)
          : []
  return [...found].map((match) => match[1] ?? match[2] ?? '')
}

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
