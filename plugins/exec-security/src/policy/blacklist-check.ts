import { baseName, blacklisted, FORBIDDEN_PROGRAMS, programIn, textBlacklisted } from './blacklist.js'
import type { ArgUse, ParsedArgs } from './parsed-args.js'
import type { Effect } from './programs/program-spec.js'
import { couldBe } from './patterns.js'
import { codeBlacklisted, codeScripts, mayRun } from './programs/code.js'
import { programSpec } from './programs/index.js'
import { isPackageRunner, runnerCandidates } from './programs/runners.js'
import { isShell } from './programs/shells.js'
import type { CommandContext } from './resolved.js'
import { staticArg, type Arg } from './words.js'
import { anyOf } from './any-of.js'

/** Options whose name says that their value is run. */
const NAMES_COMMAND = anyOf(
  /^(?:--?)?(?<=^-)[ec]$/i,
  /^(?:--?)?[\w:.-]{0,60}(?:command|cmd|exec|shell|program|pager|editor|hook|invoke|runner)[\w:.-]{0,60}$/i,
  /^(?:--?)?[\w:.-]{0,60}(?:prepare|filter|wrapper)[\w:.-]{0,60}$/i,
)
/** Text before a command in a recipe, in a table of jobs, or after an exclamation mark. */
const RECIPE = /^(?:\t|[^\s:=;][^:=;\t]{0,200}:[^=;]{0,200};)[ \t]{0,9}[@+-]{0,3}/
const LINE_START = /^(?:[~:]?!|@\w{1,20}\s|(?:[\d*/,-]{1,20}[ \t]{1,9}){5})[ \t]{0,9}/

type UseCheck = (use: ArgUse, parsed: ParsedArgs, context: CommandContext) => void

/** Checks the words of a program for forbidden commands, as its description explains them. */
export function checkUses(parsed: ParsedArgs, context: CommandContext): void {
  for (const use of parsed.uses) {
    BY_EFFECT[use.effect]?.(use, parsed, context)
    if (mayNameCommand(use, parsed)) checkText(textOf(use.arg), context)
  }
  checkRemote(parsed, context)
  checkCodeOnStdin(parsed, context)
  checkValuesOfCode(parsed, context)
  checkSettings(parsed, context)
  if (context.base === 'git') checkGit(parsed, context)
}

/** Another machine gets its words as one text. */
function checkRemote({ uses }: ParsedArgs, context: CommandContext): void {
  const remote = uses
    .filter(({ effect, option }) => effect === 'remote' && option === undefined)
    .map(({ arg }) => arg.value ?? arg.shape)
  if (remote.length > 1) context.checkForbidden(remote.join(' '), false)
}

/** Git starts what follows an exclamation mark in the value of a setting, which may be that of a variable. */
function checkGit({ operands, subcommandPath, uses }: ParsedArgs, context: CommandContext): void {
  for (const { option, arg } of uses)
    if (option === '--config-env')
      for (const value of context.facts.assigned.get(splitOnce(textOf(arg))[1] ?? '') ?? [])
        context.checkForbidden(textOf(value))
  const configures = subcommandPath[0] === 'config'
  for (const { value = '' } of configures ? operands : context.args)
    if (value.startsWith('!') || (configures && /\s/.test(value))) context.checkForbidden(value.replace(/^!/, ''))
}

function checkCodeOnStdin({ spec, uses }: ParsedArgs, context: CommandContext): void {
  const { stdin } = context
  if (stdin.kind === 'text' && (spec.stdin !== undefined || uses.some(isCodeOnStdin))) checkCode(stdin.text, context)
}

/** Returns whether a word names standard input as a file of code, as in `awk -f -`. */
const isCodeOnStdin = ({ effect, option, arg: { value = '' } }: ArgUse): boolean =>
  (effect === 'script' || effect === 'deny') &&
  (value === '-' ? option !== undefined : /^\/(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)$/.test(value))

/** Code that runs programs may run what it is given: one word, or all of them. */
function checkValuesOfCode({ spec, uses }: ParsedArgs, context: CommandContext): void {
  const { base, stdin } = context
  const codes = uses.filter(({ effect }) => effect === 'code').map(({ arg }) => textOf(arg))
  if (spec.stdin !== undefined && stdin.kind === 'text') codes.push(stdin.text)
  if (!codes.some((code) => mayRun(code, base))) return
  const given = uses.filter(({ effect }) => effect !== 'code')
  const operands = given.filter(({ option, arg }) => option === undefined && arg.value !== '-')
  const words = [...given.map(({ arg }) => arg), staticArg(operands.map(({ arg }) => textOf(arg)).join(' '))]
  for (const word of words) if (/\s/.test(textOf(word)) && checkText(textOf(word), context)) return
}

/** Checks a setting whose name and value are words of their own. */
function checkSettings({ operands, subcommandPath, uses }: ParsedArgs, context: CommandContext): void {
  if (subcommandPath.at(-1) !== 'config' && !uses.some(({ effect }) => effect === 'setting')) return
  for (const [i, { shape }] of operands.entries())
    if (NAMES_COMMAND.test(operands[i - 1]?.shape ?? '')) context.checkForbidden(shape)
}

const BY_EFFECT: Readonly<Partial<Record<Effect, UseCheck>>> = {
  program: checkValue,
  setting: checkValue,
  deny: checkValue,
  code: ({ arg }, _, context) => checkCode(textOf(arg), context),
  // An option before it may have taken no value, or its own.
  script: ({ arg }, _, context) => {
    if (/[\s(]/.test(textOf(arg))) checkCode(textOf(arg), context)
  },
  remote: ({ arg }, _, context) => void context.checkForbidden(textOf(arg), false),
  address: ({ arg }, _, context) => {
    const [scheme] = /^(?:ext::|(?:exec|system|shell):)/i.exec(textOf(arg)) ?? []
    if (scheme !== undefined) context.checkForbidden(textOf(arg).slice(scheme.length))
  },
  write: ({ arg, option }, { operands }, context) => {
    if (option === undefined && /^(?:cp|ln|mv|install|link)$/.test(context.base))
      checkCopy(arg, arg === operands.at(-1), context)
    // Some programs start what follows such a sign in the place of a file.
    if (/^[|!]/.test(textOf(arg))) context.checkForbidden(textOf(arg).slice(1))
  },
}

const textOf = ({ value, shape }: Arg): string => value ?? shape

function checkValue({ effect, arg, option }: ArgUse, { operands }: ParsedArgs, context: CommandContext): void {
  if (option === '+') checkCode(textOf(arg).slice(1), context)
  const isCommand = option === undefined && effect === 'program'
  const words = isCommand ? operands.map(textOf).join(' ') : textOf(arg)
  const [, value] = splitOnce(words)
  // A lone word that is not the value of an option or a setting is a name.
  const isOptionValue = effect === 'deny' && option !== undefined && arg.shape !== option
  if (effect === 'program' || isOptionValue || /\s/.test(words)) context.checkForbidden(words.replace(/^[+!|\s]+/, ''))
  if (value !== undefined) context.checkForbidden(value.replace(/^!/, ''))
}

/** Returns whether the text of a word may contain a command. */
function mayNameCommand({ effect }: ArgUse, { spec }: ParsedArgs): boolean {
  if (effect === 'text') return spec.otherSubcommands === true
  return effect === 'program' || effect === 'setting' || effect === 'deny' || effect === 'any'
}

const namedProgram = (text: string): string | undefined =>
  (text.match(/[\w./-]+/g) ?? []).map(programIn).find((name) => name !== undefined)

/** Programs of the system under another name are what they are. */
function checkCopy(arg: Arg, last: boolean, context: CommandContext): void {
  const path = arg.pattern
  // A command that is given such a name may print the path of the program.
  const named = arg.outputs.some(({ kind }) => kind === 'unknown') ? namedProgram(arg.text) : undefined
  if (named !== undefined) return context.reportForbidden(named, `made another name by ${context.base}`)
  const name = FORBIDDEN_PROGRAMS.find((forbidden) => couldBe(baseName(path), forbidden))
  if (
    name !== undefined &&
    (/^(?:\/usr(?:\/local)?)?\/s?bin\//.test(path) ||
      (!last && /^(?:ln|link)$/.test(context.base) && blacklisted(baseName(path)) !== undefined))
  )
    context.reportForbidden(name, `made another name by ${context.base}`)
}

/** Reports a forbidden command that a text names in the position of a command. */
function checkText(text: string, context: CommandContext): boolean {
  const name = textBlacklisted(text)
  if (name !== undefined) context.reportForbidden(name, `in a text that ${context.base} may run`)
  return name !== undefined
}

/** Code of sed or awk that runs what it is given. */
const EDITOR_RUNS = /(?:^|[;{}\d$/,!\s])e\s*(?:$|[;}])|\/[gpIM\d]*e[gpIM\d]*\s*(?:$|[;}])|system|\|/
/** A replacement whose first word holds a part of what was found. */
const COMPUTED_COMMAND = /^\s*\S*(?:\\\d|(?<!\\)&)/
/** Programs that only show or search their standard input. */
const LOOKS = anyOf(
  /^(?::|true|false|test|\[|echo|printf|cat|e?grep|fgrep|rg|ag|ack|wc|head|tail|sort|uniq|cut|tr|tee|nl|tac|rev)$/,
  /^(?:fold|fmt|column|paste|diff|cmp|jq|base64|md5sum|sha\d+sum|xxd|less|more|patch|mail|wall|logger|read)$/,
  /^(?:mapfile|readarray|curl|gh|git|awk|gawk|sed)$/,
)
/** Programs whose words are messages or search terms. */
const TALKS = /^(?:pgrep|pkill|notify-send|ag|ack|logger|wall|mail|espeak|say|figlet|cowsay|apropos|whatis|tldr)$/

/** Text that a program may run line by line: jobs, recipes, commands behind a sign. */
export function checkStdin(context: CommandContext): void {
  const { base, args, stdin } = context
  if (
    stdin.kind !== 'text' ||
    isShell(base) ||
    (LOOKS.test(base) && !args.some(({ shape }) => EDITOR_RUNS.test(shape) && /^g?(?:sed|awk)$/.test(base)))
  )
    return
  for (const line of stdin.text.split('\n')) {
    const command = line.replace(LINE_START, '').replace(RECIPE, '')
    if (checkText(command, context) || (programSpec(base) === undefined && context.checkForbidden(command))) return
    if (/^g?make$/.test(base) && args.some(({ shape }) => shape.startsWith('-')) && context.checkForbidden(command))
      return
  }
}

function checkCode(code: string, context: CommandContext): void {
  const name = codeBlacklisted(code, context.base)
  if (name !== undefined) context.reportForbidden(name, `inside the code given to ${context.base}`)
  for (const script of codeScripts(code, context.base)) {
    context.checkForbidden(script)
    if (/^g?sed$/.test(context.base) && COMPUTED_COMMAND.test(script))
      context.refuse(`sed would run ${script}, which is only known when it runs`)
  }
}

/** Runners have too many options to list: every word that could be a command, or a script, is looked at. */
export function checkRunner(context: CommandContext): void {
  const { base, args } = context
  const packages = isPackageRunner(base)
  for (const candidate of runnerCandidates(
    base,
    args.map(({ value }) => value),
  )) {
    // A subcommand of this name is no builtin.
    if (!/^(?:watch|script|flock)$/.test(base) && /^(?:exec|eval)$/.test(candidate)) continue
    // A shell or an interpreter that is found in packages reads its own words.
    if (packages && (isShell(candidate) || programSpec(candidate)?.stdin === 'code')) {
      const words = args.slice(args.findIndex(({ value }) => value === candidate))
      return context.followCommand(/^(?:tsx|ts-node)$/.test(candidate) ? [staticArg('node'), ...words.slice(1)] : words)
    }
    if (context.checkForbidden(candidate)) return
  }
  for (const { value = '' } of args) if (/\s/.test(value) && checkText(value, context)) return
}

/** Checks a program or options without a description for values that are commands, and for commands after `--`. */
export function checkUnknownProgram(context: CommandContext): void {
  context.args.forEach(({ shape }, i) => {
    const [option, attached] = splitOnce(shape)
    const before = context.args[i - 1]?.shape ?? ''
    const follows = NAMES_COMMAND.test(before) || before === '--' ? shape : undefined
    const run = attached !== undefined && NAMES_COMMAND.test(option) ? attached : follows
    if (run !== undefined && context.checkForbidden(run.replace(/^[!|\\]\s*/, ''))) return
    if (!TALKS.test(context.base)) checkText(shape, context)
  })
}

/** A word of the form `name=value`, taken apart. */
function splitOnce(word: string): readonly [string, string | undefined] {
  const at = word.indexOf('=')
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}
