import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SourcePlace } from '@mynah/contract'
import type { PluginView } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'

/** Lines that are shown before and after the place. */
const AROUND = 4
/** Characters of a line that are shown. */
const MAX_TEXT = 300
const MAX_BYTES = 1024 * 1024
const MAX_CAUSES = 5
/** Lines of a stack that are read, and characters of a message. */
const MAX_FRAMES = 50
const MAX_MESSAGE = 2_000

const SOURCE = /\.[cm]?[jt]sx?$/
const NUMBER = /^\d{1,7}$/
const POSITION = /:(\d{1,7}):(\d{1,7})\)?$/

interface Position {
  readonly file: string
  readonly line: number
  readonly column?: number
}

/** Returns the places that a message names, such as `plugins/greeter.js:2:9`. */
function placesInMessage(message: string, root: string): Position[] {
  return message
    .slice(0, MAX_MESSAGE)
    .split(/\s/)
    .flatMap((word) => {
      const [file = '', line = '', column = ''] = word.split(':')
      if (!SOURCE.test(file) || !NUMBER.test(line)) return []
      return [
        omitUndefined({
          file: resolve(root, file),
          line: Number(line),
          column: NUMBER.test(column) ? Number(column) : undefined,
        }),
      ]
    })
}

/** Returns the places of a stack, the innermost first. */
function placesInStack(stack: string | undefined): Position[] {
  return (stack ?? '')
    .split('\n', MAX_FRAMES)
    .filter((frame) => frame.trimStart().startsWith('at '))
    .flatMap((frame) => {
      const found = POSITION.exec(frame.trimEnd())
      const start = frame.indexOf('file://')
      if (!found || start < 0) return []
      const file = pathOf(frame.slice(start, found.index))
      return file === undefined ? [] : [{ file, line: Number(found[1]), column: Number(found[2]) }]
    })
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    // A stack is text of the plugin, so anything may be in it.
    return undefined
  }
}

function* causesOf(error: Error): Generator<Error> {
  let current: unknown = error
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    yield current
    current = current.cause
  }
}

/** Returns the path of `file` below `folder`, unless it is elsewhere, hidden or of a package. */
function insideOf(folder: string, file: string): string | undefined {
  const path = relative(folder, file)
  const parts = path.split(sep)
  // A path on another drive is absolute; `..` begins with a dot.
  return parts.some((part) => part === '' || part.startsWith('.') || part === 'node_modules' || part.endsWith(':'))
    ? undefined
    : parts.join('/')
}

/** Returns the real path of a file, so that no link leads out of a folder. */
const realPathOf = (file: string): Promise<string | undefined> => realpath(file).catch(() => undefined)

/**
 * Returns where in its source a plugin has failed. Only files of source code below the module of the plugin are read,
 * and only if that is in the folder of the configuration.
 *
 * @param root the folder of the configuration
 * @param redact removes secrets from a line
 */
export async function failurePlace(
  { error, origin }: Pick<PluginView, 'error' | 'origin'>,
  root: string,
  redact: (text: string) => string,
): Promise<SourcePlace | undefined> {
  if (!error || !origin?.url.startsWith('file:')) return undefined
  const [module, home] = await Promise.all([realPathOf(fileURLToPath(origin.url)), realPathOf(root)])
  if (module === undefined || home === undefined || insideOf(home, module) === undefined) return undefined
  const causes = Array.from(causesOf(error))
  const positions = [
    ...causes.flatMap(({ message }) => placesInMessage(message, home)),
    ...causes.flatMap(({ stack }) => placesInStack(stack)),
  ]
  for (const { file, line, column } of positions) {
    const real = await realPathOf(file)
    if (real === undefined || !SOURCE.test(real) || insideOf(dirname(module), real) === undefined) continue
    const lines = await linesAround(real, line, redact)
    const shown = insideOf(home, real)
    if (lines && shown !== undefined) return omitUndefined({ file: shown, line, column, lines })
  }
  return undefined
}

/** Returns the lines around one of a file, or undefined where it has no such line or is too large. */
async function linesAround(
  file: string,
  line: number,
  redact: (text: string) => string,
): Promise<SourcePlace['lines'] | undefined> {
  const found = await stat(file)
  if (!found.isFile() || found.size > MAX_BYTES) return undefined
  const all = (await readFile(file, 'utf8')).split(/\r?\n/)
  if (line < 1 || line > all.length) return undefined
  const first = Math.max(1, line - AROUND)
  return all.slice(first - 1, line + AROUND).map((text, index) => {
    const clean = redact(text)
    return { number: first + index, text: clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean }
  })
}
