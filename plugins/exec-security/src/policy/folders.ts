// Folders from which relative paths may begin, as far as a text changes them.
import type { PathRules } from './path-rules.js'
import type { Unit, Variable } from './walk-types.js'
import { inputArg, staticArg, type Arg } from './words.js'

/** Variables by which `cd` and a tilde find a folder. */
const FOLDER_VARIABLE = /^(?:HOME|CDPATH|PWD|OLDPWD)$/

/** Words that may stand before `cd`. */
const BEFORE_BUILTIN = /^(?:command|builtin|-\w+|--)$/

/** Records the folders that a part may enter, from which the paths of any other command may begin. */
export function recordFolders(unit: Unit | undefined, paths: PathRules): void {
  if (unit?.kind === 'sets') recordVariables([unit], paths)
  if (unit?.kind === 'command') recordEntered(unit.words, unit.assignments, paths)
}

/** Records the folders that the words and the variables of a command enter. */
export function recordEntered(words: readonly Arg[], assignments: readonly Variable[], paths: PathRules): void {
  recordVariables(assignments, paths)
  const at = words.findIndex(({ value }) => value === 'cd' || value === 'pushd')
  if (at < 0 || (at > 2 && !words.slice(0, at).every(({ value = '' }) => BEFORE_BUILTIN.test(value)))) return
  const target = words.slice(at + 1).find(({ shape }) => !shape.startsWith('-'))
  if (target !== undefined) paths.chdir(target)
  else if (words[at]?.value === 'cd' && words.at(-1)?.value !== '-') paths.enterHome()
}

/** Records the folders that variables name. The home folder is one to begin from once a command enters it. */
export function recordVariables(variables: readonly Variable[], paths: PathRules): void {
  for (const { name, value = inputArg(name) } of variables) {
    if (!FOLDER_VARIABLE.test(name)) continue
    if (name === 'HOME') paths.setHome(value)
    else
      for (const folder of value.value?.split(':') ?? [value.text])
        paths.chdir(value.value === undefined ? value : staticArg(folder))
  }
}
