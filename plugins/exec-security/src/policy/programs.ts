// Programs given as arguments or as text: what the code of interpreters, awk and sed may do beyond computing.
import { codeRunsBlacklisted } from './blacklist.js'
import { parseOptions } from './options.js'
import { displayShape, secretPath, secretShape } from './secrets.js'
import { HOLE } from './words.js'
import type { OptionTable } from './options.js'
import type { Stdin } from './redirects.js'
import type { Arg } from './words.js'

/** Calls through which code that stands on the command line would start other programs, past every list. */
const STARTS_PROGRAMS: Readonly<Record<string, RegExp>> = {
  node: /\bchild_process\b|\bspawn(?:Sync)?\s*\(|\bexec(?:File)?Sync\s*\(/,
  bun: /\bchild_process\b|\bBun\s*\.\s*(?:\$|spawn)/,
  deno: /\bDeno\s*\.\s*(?:run|Command)\b|\bchild_process\b/,
  python: /\bsubprocess\b|\b(?:os|posix)\b[^;\n]{0,80}\.\s{0,8}(?:system|popen|exec[lv]\w*|spawn\w*|posix_spawn\w*|startfile)\b|\bfrom\s{1,8}os\s{1,8}import\b[^\n;]{0,80}\b(?:system|popen|exec\w*|spawn\w*)|\bpty\s*\.\s*spawn|\bcreate_subprocess_/,
  perl: /\b(?:system|exec|qx|fork)\b|`|\bopen\s{0,8}\(?[^;]{0,80}["']\s{0,8}[|+-]|\|\s{0,8}["']/,
  ruby: /\b(?:system|exec|spawn|popen\w*|Open3|fork)\b|`|%x/,
  php: /\b(?:system|exec|shell_exec|passthru|proc_open|popen|pcntl_exec)\s*\(|`/,
  lua: /\bos\s*\.\s*execute|\bio\s*\.\s*popen/
}

/** Interpreters may run any code of their own, as long as it stands there to be read, starts no program and names no secret. */
export function checkInterpreter(name: string, args: readonly Arg[], stdin: Stdin): string | undefined {
  const starts = STARTS_PROGRAMS[name === 'python3' ? 'python' : name]
  let fromInput = true
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]
    if (arg === undefined) break
    const before = args[i - 1]?.shape ?? ''
    const code = /^(?:-[a-zA-Z]*[cepEr]|--eval|--print|--run)$/.test(before) || /^--(?:eval|print)=/.test(arg.shape)
    if (code && arg.unknown.some((kind) => kind === 'command' || kind === 'input' || kind === 'process')) return `the code given to ${name} is only known when it runs`
    if (code && starts?.test(arg.shape) === true) return `the code given to ${name} would start other programs`
    if (fromInput && arg.unknown.includes('process')) return `the code given to ${name} is only known when it runs`
    if (arg.shape !== '-') fromInput &&= /^-[iuBEsSOqx]+$|^--(?:input-type|experimental|no-warnings)/.test(arg.shape)
    if (secretPath(arg) && !arg.shape.startsWith('--env-file') && !before.startsWith('--env-file')) return `${name} would read ${displayShape(arg)}, which may hold credentials`
    const quoted = [...arg.shape.matchAll(/["'`]([^"'`\s]+)["'`]/g)].find((match) => secretShape(match[1] ?? '') && /[./]/.test(match[1] ?? ''))
    if (quoted !== undefined) return `${name} would read ${(quoted[1] ?? '').replaceAll(HOLE, '…')}, which may hold credentials`
  }
  if (fromInput && stdin.kind === 'unknown') return `${name} would run code that is only known when it runs`
  if (fromInput && stdin.kind === 'text' && starts?.test(stdin.text) === true) return `the code given to ${name} would start other programs`
  return undefined
}

// A string, a comment, or a pattern where an operand is expected.
const AWK_DATA = /"(?:\\[^]|[^"\\])*"|#[^\n]*|(?<=(?:^|[(,!~{};&|=])\s{0,8})\/(?:\\.|[^/\\\n])+\//g

/** awk may compute and print, but neither start programs nor write files. */
export function checkAwk(name: string, args: readonly Arg[]): string | undefined {
  for (const arg of args) {
    const { shape } = arg
    const secret = secretPath(arg)
    if (secret) return `${name} would read ${displayShape(arg)}, which may hold credentials`
    const bare = shape.replaceAll(AWK_DATA, '""')
    const runs = /\bsystem\s*\(|\|\s*&?\s*getline|@(?:load|include)\b/.test(shape) || /\|&|print(?:(?!print)[^;}\n])*(?:>|(?<!\|)\|(?!\|))/.test(bare)
    if (runs || /^(?:-[fEilD]|--(?:file|exec|include|load|debug))/.test(shape)) return `${name} ${displayShape(arg)} can run or write something that the list does not cover`
  }
  return undefined
}

const SED: OptionTable = {
  flags: 'nErsuz', values: 'efl', optional: 'i',
  long: ['quiet', 'silent', 'regexp-extended', 'separate', 'unbuffered', 'null-data', 'zero-terminated', 'posix', 'debug', 'sandbox', 'follow-symlinks', 'help', 'version'],
  longValues: ['expression', 'file', 'line-length'], longOptional: ['in-place']
}

/** sed may edit text and the files that it is given, but neither start programs nor read or write others. */
export function checkSed(name: string, args: readonly Arg[]): string | undefined {
  const parsed = parseOptions(args, SED)
  if (typeof parsed === 'string') return `the option ${parsed} of ${name} is not known`
  const given = parsed.options.filter((option) => option.name === '-e' || option.name === '--expression').flatMap(({ value }) => value ?? [])
  if (parsed.options.some((option) => option.name === '-f' || option.name === '--file')) return `${name} would run a script that is not shown`
  const scripts = given.length > 0 ? given : parsed.operands.slice(0, 1)
  const unsafe = scripts.find((script) => !sedOnlyEdits(script.shape) || script.unknown.includes('input'))
  if (unsafe !== undefined) return `${name} ${displayShape(unsafe)} can run, read or write something that the list does not cover`
  const secret = (given.length > 0 ? parsed.operands : parsed.operands.slice(1)).find(secretPath)
  return secret === undefined ? undefined : `${name} would read ${displayShape(secret)}, which may hold credentials`
}

const SED_ADDRESS = /(?:[\s;{},!$~+\d]|\/(?:\\[^]|[^/\\\n])*\/[IM]*|\\(?<mark>[^\n\\])(?:\\[^]|(?!\k<mark>)[^\\\n])*\k<mark>[IM]*)*/y
const SED_COMMAND =
  /(?:[=dDgGhHnNpPxzF]|[qQlL]\s*\d*|[bt:T][^;\n}]*|#[^\n]*|[aic](?:\\[^]|[^\\\n])*|[sy](?<end>[^\n\\])(?:\\[^]|(?!\k<end>)[^\\])*\k<end>(?:\\[^]|(?!\k<end>)[^\\])*\k<end>[gpiIMm\d]*)(?=\s*(?:[;}\n#]|$))/y

/** Reads a script of sed command by command; what is not a plain editing command makes it unsafe. */
function sedOnlyEdits(script: string): boolean {
  let at = 0
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const matched = pattern.test(script)
    if (matched) at = pattern.lastIndex
    return matched
  }
  for (;;) {
    skip(SED_ADDRESS)
    if (at >= script.length) return true
    if (!skip(SED_COMMAND)) return false
  }
}

const CODE = /^(?:g|m|n)?awk$|^(?:perl|python[\d.]*|node|nodejs|deno|bun|ruby|php|lua[\d.]*|tclsh|expect|sed|gsed|vim?|nvim|ex|Rscript|osascript)$/

/** Whether program text among the arguments plainly starts a forbidden command. */
export function inlineBlacklisted(baseName: string, args: readonly Arg[], stdin: Stdin): string | undefined {
  if (!CODE.test(baseName)) return undefined
  for (const code of [...args.map((arg) => arg.shape), ...(stdin.kind === 'text' ? [stdin.text] : [])]) {
    const found = codeRunsBlacklisted(code)
    if (found !== undefined) return found
  }
  return undefined
}
