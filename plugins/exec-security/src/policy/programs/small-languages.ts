// Reads programs of sed and awk piece by piece. Only pieces that edit or compute are covered.
import { anyOf } from '../any-of.js'

/** Text between two commands of sed: the end of one, braces, addresses of the next. */
const SED_BETWEEN = /(?:[\d$,~+! \t;\n{}]|\/(?:\\.|[^/\\\n])*\/I?)*/y
/** A command that edits: one letter, a label, a line of text, or a replacement with a usual sign between its parts. */
const SED_COMMAND = anyOf(
  /[pdqgGhHxnNDP=][ \t]*(?=[;\n}]|$)|[:btT][ \t]*(?:\w+[ \t]*)?(?=[;\n]|$)|[aic]\\?[^\\\n]*(?=\n|$)/y,
  /[sy](?<at>[/|#,:@])(?:\\.|(?!\k<at>)[^\\\n])*\k<at>(?:\\.|(?!\k<at>)[^\\\n])*\k<at>[gpI\d]*[ \t]*(?=[;\n}]|$)/y,
)

/** Returns whether a script of sed neither runs a text nor reads or writes other files. */
export function onlyEdits(script: string): boolean {
  for (let at = 0; at < script.length; at = SED_COMMAND.lastIndex) {
    SED_BETWEEN.lastIndex = at
    SED_BETWEEN.test(script)
    SED_COMMAND.lastIndex = SED_BETWEEN.lastIndex
    if (SED_BETWEEN.lastIndex === script.length) return true
    if (!SED_COMMAND.test(script)) return false
  }
  return true
}

/** Where an operand is expected, a slash begins a pattern. One in a class would end it for some versions of awk. */
const AWK_PATTERN = /\/(?:\\.|\[(?:\^?\]|\^?[^\]^\\/\n])[^\]\\/\n]*\]|[^/\\\n[])+\//y
/** A value, a name with what follows a call of it, the end of an operand, an operator, blanks or a comment. */
const AWK_PIECE = anyOf(
  /(?<value>"(?:\\[nrt"\\/]|[^"\\\n])*"|\d[\d.]*)|(?<name>[A-Za-z_]\w*)(?<call>[ \t]*\()?|(?<end>[\])])/y,
  /(?<sign>\|\||[-+*/%=!<>~&?:;,(){}[\n^$])|[ \t]+|#[^\n]*/y,
)
const AWK_CALLS = /^(?:length|substr|split|g?sub|index|match|sprintf|toupper|tolower|int|sqrt|if|for|while|in|printf?)$/
const AWK_REFUSED = /^(?:getline|system|close|fflush|func(?:tion)?|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV)$/
/** Words after which an operand is expected. */
const AWK_OPENS = /^(?:printf?|if|else|do|in|BEGIN|END|exit|return)$/

/** A piece of a program of awk, by its kind. */
type AwkPiece = Readonly<Partial<Record<'value' | 'name' | 'call' | 'end' | 'sign', string>>>

/** Returns whether a program of awk only computes, and prints to its output alone. */
export function onlyComputes(program: string): boolean {
  // A slash there may divide or begin a pattern.
  if (/(?:\+\+|--)\s*\//.test(program)) return false
  let prints = false
  let takesOperand = true
  for (let at = 0; at < program.length;) {
    const kind: RegExp = takesOperand && program[at] === '/' ? AWK_PATTERN : AWK_PIECE
    kind.lastIndex = at
    const found: RegExpExecArray | null = kind.exec(program)
    const piece: AwkPiece = found?.groups ?? {}
    if (found === null || isRefused(piece, prints)) return false
    at = kind.lastIndex
    prints = stillPrints(piece, prints)
    if (/^[^\s#]/.test(found[0]) || piece.sign !== undefined) takesOperand = isOpening(piece)
  }
  return true
}

/** Returns whether a piece runs a program, or reads or writes a file. */
function isRefused({ name, call, sign }: AwkPiece, prints: boolean): boolean {
  if (name !== undefined) return AWK_REFUSED.test(name) || (call !== undefined && !AWK_CALLS.test(name))
  return sign === '>' && prints
}

/** Returns whether the statement behind a piece prints. A line may go on behind a comma. */
const stillPrints = ({ name, sign = '' }: AwkPiece, prints: boolean): boolean =>
  /^[;{}]$/.test(sign) ? false : prints || /^printf?$/.test(name ?? '')

const isOpening = ({ name = '', call, sign }: AwkPiece): boolean =>
  sign !== undefined || call !== undefined || AWK_OPENS.test(name)
