// The form of a path or of a pattern, as far as it tells which paths it may become.
import { couldBe, hasWild, written } from './patterns.js'
import { HOLE, STAR, type Arg } from './words.js'

/** Returns whether a pattern of the shell leaves out a file whose name, or that of a folder, begins with a dot. */
export function isLeftOut(pattern: string, file: string): boolean {
  const names = file.split('/')
  return pattern.split('/').some((part, i) => /^[\u0001\u0002](?!\0)/.test(part) && names[i]?.startsWith('.') === true)
}

/** Variables that hold what was written before, or was given by others. */
const FED = /^(?:[_@*]|[1-9]\d*|REPLY|OLDPWD|OPTARG|BASH_\w+)$/

/** Returns whether computed text follows the beginning of a path, and may lead up again. */
export function mayClimb(arg: Arg): boolean {
  if (
    arg.pattern
      .split('/')
      .slice(0, -1)
      .some((part) => part.startsWith('.') && hasWild(part) && couldBe(part.replaceAll(HOLE, STAR), '..'))
  )
    return true
  if (!arg.shape.includes(HOLE, 1)) return false
  if (arg.outputs.some((output) => output.kind === 'unknown' || (output.kind === 'text' && output.text.includes('..'))))
    return true
  return (
    arg.sources.includes('input') ||
    arg.variables.some((name) => FED.test(name)) ||
    (arg.sources.includes('brace') && /(?:^|[{,/])\.\.(?:[},/]|$)/.test(arg.text))
  )
}

/** Returns the folder of which a pattern may match any file. A last component with letters of its own has none. */
export function treeOf(path: string): string | undefined {
  const at = path.indexOf(`/${HOLE}`)
  return at >= 0 && written(path.slice(at)).replaceAll('/', '') === '' ? path.slice(0, at) || '/' : undefined
}

/** A pattern whose own letters say that it means a certain path: `dat?` does, `*` and `d*` do not. */
export function aims(wild: string, tree: string): boolean {
  const name = tree.slice(tree.lastIndexOf('/') + 1)
  return wild
    .split('/')
    .some((part) => written(part).length >= 2 && hasWild(part) && couldBe(part.replaceAll(HOLE, STAR), name))
}

/** A pattern that names more of a file than its extension. */
export function pointed(wild: string): boolean {
  return wild.split('/').some((part) => written(part).replace(/\.\w+$/, '').length >= 2)
}

/** Returns a path without empty steps and steps back. */
export function collapse(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && !leadsElsewhere(parts)) parts.pop()
    else parts.push(part)
  }
  return `/${parts.join('/')}`
}

const DESCRIPTORS = ['fd', 'stdin', 'stdout', 'stderr']

/** Returns whether a path is in a folder of a process or of descriptors: `..` leads where that folder does. */
function leadsElsewhere([first = '', second]: readonly string[]): boolean {
  if (second === undefined || first.includes(HOLE)) return false
  return couldBe(first, 'proc') || (couldBe(first, 'dev') && DESCRIPTORS.some((name) => couldBe(second, name)))
}
