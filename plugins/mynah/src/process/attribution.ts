import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PluginView } from '@mynah/kernel'

/** A frame of a stack. */
export interface Frame {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly name: string
}

const FRAME = /^\s*at (?:async )?(?:(.*?) \()?(file:\/\/.*?|\/.*?|[A-Za-z]:\\.*?):(\d+):(\d+)\)?$/

/** A stack is untrusted text of any length. */
const MAX_FRAMES = 200
const MAX_LINE = 2_000

/** A folder from which packages are loaded that have changed while the host runs, see `package-views.ts`. */
const VIEW = /[\\/]data[\\/]packages[\\/]views[\\/][0-9a-f]{16}[\\/]/

const MADE_AT = /\(((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*:\d+:\d+)\)/

/** Attributes code of `eval` to the location that called it. */
function withoutEval(line: string): string {
  const start = line.indexOf('(eval at ')
  const place = start < 0 ? undefined : MADE_AT.exec(line.slice(start))?.[1]
  return place === undefined ? line : `${line.slice(0, start)}(${place})`
}

/** Returns the frames of an error, innermost first, without frames that are not in a file. */
export function framesOf(error: unknown): Frame[] {
  return framesIn(error instanceof Error && typeof error.stack === 'string' ? error.stack : '')
}

/** Returns the frames of a stack. */
export function framesIn(stack: string): Frame[] {
  const frames: Frame[] = []
  for (const line of stack.split('\n', MAX_FRAMES)) {
    if (line.length > MAX_LINE) continue
    const match = FRAME.exec(withoutEval(line))
    if (!match) continue
    const file = pathOf(match[2] as string)?.replace(VIEW, '/')
    if (file) frames.push({ file, line: Number(match[3]), column: Number(match[4]), name: match[1] ?? '' })
  }
  return frames
}

/** Returns the path of a file URL or path, without a query. */
export function pathOf(location: string): string | undefined {
  if (!location.startsWith('file:')) return location || undefined
  try {
    return fileURLToPath(location.replace(/[?#].*$/s, ''))
  } catch {
    // Not a file of this machine.
    return undefined
  }
}

/** Returns how well a file matches a plugin: best is its own module, then the closest folder; 0 is no match. */
function matchScore(file: string, plugin: PluginView): number {
  const own = plugin.origin && pathOf(plugin.origin.url)
  if (!own) return 0
  if (file === own) return Infinity
  const folder = dirname(own) + sep
  // A library below the folder is attributed to its caller.
  return file.startsWith(folder) && !file.slice(folder.length).includes(`node_modules${sep}`) ? folder.length : 0
}

/** Returns the plugin of the innermost frame that belongs to a plugin, unless two plugins match equally. */
export function attribute(
  frames: readonly Frame[],
  plugins: readonly PluginView[],
): { plugin: string; frame: Frame } | undefined {
  for (const frame of frames) {
    const ranked = plugins
      .map((plugin) => ({ plugin: plugin.name, near: matchScore(frame.file, plugin) }))
      .filter(({ near }) => near > 0)
      .sort((a, b) => b.near - a.near)
    const [best, second] = ranked
    if (best && best.near !== second?.near) return { plugin: best.plugin, frame }
  }
  return undefined
}

/** Formats a location relative to the folder of the host, to hide paths of the machine. */
export function locationOf({ file, line }: Frame, root: string): string {
  const path = relative(root, file)
  const inside = path !== '' && !path.startsWith('..')
  return `${inside ? path.replaceAll(sep, '/') : file.slice(file.lastIndexOf(sep) + 1)}:${line}`
}
