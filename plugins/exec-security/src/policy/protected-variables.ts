import { anyOf } from './any-of.js'
import { firstReason } from './first-reason.js'
import { isPathOfUnknownProgram } from './invocation.js'
import type { PathRules } from './path-rules.js'
import { steersPrograms } from './programs/environment.js'
import { piecesOf, wordOf, type Arg, type Piece } from './words.js'
import type { Variable } from './walk-types.js'

/** Variables by which git takes a folder for its own: it reads all of it. */
const TREES =
  /^GIT_(?:CONFIG_VALUE_\d+|DIR|WORK_TREE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|INDEX_FILE)$/
/** Variables that name a place for what a program writes. */
const WRITTEN = anyOf(
  /^(?:GIT_(?:TRACE\w*|DIR|WORK_TREE|COMMON_DIR|OBJECT_DIRECTORY|INDEX_FILE)|TMPDIR|TEMP|TMP|HISTFILE|\w+_HISTORY)$/,
  /^(?:SSLKEYLOGFILE|NODE_V8_COVERAGE|NODE_REDIRECT_WARNINGS|npm_config_(?:cache|prefix)|XDG_\w+_HOME)$/i,
)

/** Returns why a variable leads the programs that read it to what decides over the host itself. */
export function denyVariable({ name, value }: Variable, paths: PathRules): string | undefined {
  if (value === undefined || !steersPrograms(name)) return undefined
  return firstReason(filesIn(value), (file) => {
    const access = TREES.test(name) ? 'tree' : 'read'
    return paths.denyProtected(file, access) ?? (WRITTEN.test(name) ? paths.denyProtected(file, 'write') : undefined)
  })
}

/** Returns the paths in a value, which may be a list, or a command with its options. */
function filesIn(value: Arg): readonly Arg[] {
  const words: Piece[][] = [[]]
  for (const piece of piecesOf(value) ?? []) {
    const [first = '', ...others] = piece.source === undefined ? piece.token.split(/[\s:;,='"]+/) : [piece.token]
    words.at(-1)?.push({ ...piece, token: first })
    words.push(...others.map((token) => [{ token }]))
  }
  return words.map((pieces) => wordOf(value.text, pieces)).filter(isPathOfUnknownProgram)
}
