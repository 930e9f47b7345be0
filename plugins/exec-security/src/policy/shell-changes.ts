// Finds what changes a shell for the other commands that it runs.
import { isCosmetic } from './subcommand-text.js'
import type { CommandUnit, Shell } from './walk-types.js'

/** Builtins that change the shell. The values that some of them set are not known. */
const CHANGING = new Set(
  (
    'cd pushd popd export declare typeset local readonly unset alias unalias source . set shopt enable hash umask ' +
    'ulimit trap read mapfile readarray getopts let shift'
  ).split(' '),
)
/** Builtins after which a shell that is not bash keeps the variables before them. */
const KEEPS_PREFIX = /^(?::|break|continue|return|times)$/
/** Words that may stand before a builtin. */
const BEFORE_BUILTIN = /^(?:command|builtin|-\w+|--)$/
/** Words with which these builtins set a variable, or may do so. */
const SETTING = new Map([
  ['printf', /^(?:-?\0|-v)/],
  ['wait', /^(?:-?\0|-\w*p)/],
])

/** A shell in which nothing is changed yet. */
export const newShell = (line: string, outer?: Shell): Shell => ({ changes: [], outer, line })

/** Records a function, an alias, input that is not shown, or the like. */
export const recordChange = (shell: Shell, source: string): void => void shell.changes.push({ source, isLocal: false })

/** Records a variable. The environment of commands has no names of small letters. */
export function recordVariable(shell: Shell, source: string, name: string): void {
  shell.changes.push({ source, isLocal: isLocalName(name) })
}

/** Records a command that changes its shell. */
export function recordCommand({ words, assignments, shell, text }: CommandUnit): void {
  if (words.length > 0) {
    if (changesShell(words, assignments.length > 0)) recordChange(shell, text)
  } else if (!assignments.every(isCosmetic)) {
    shell.changes.push({ source: text, isLocal: assignments.every(({ name }) => isLocalName(name)) })
  }
}

const isLocalName = (name: string): boolean => /^[a-z_\d]+$/.test(name)

function changesShell(words: CommandUnit['words'], hasPrefix: boolean): boolean {
  const at = words.findIndex(({ value }) => !BEFORE_BUILTIN.test(value ?? ''))
  const name = words[at]?.value ?? ''
  return (
    CHANGING.has(name) ||
    (hasPrefix && KEEPS_PREFIX.test(name)) ||
    SETTING.get(name)?.test(words[at + 1]?.shape ?? '') === true
  )
}
