// Which plugin a stack belongs to: by the module folders that the loader knows.
import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PluginView } from '@mynah/kernel'

/** A place in a source file. */
export interface Frame {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly name: string
}

const FRAME = /^\s*at (?:async )?(?:(.*?) \()?(file:\/\/.*?|\/.*?|[A-Za-z]:\\.*?):(\d+):(\d+)\)?$/

/** A stack is text like any other, and may be of any length. */
const MAX_FRAMES = 200
const MAX_LINE = 2_000

const MADE_AT = /\(((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*:\d+:\d+)\)/

/** Code made at run time belongs to the place that made it. */
function withoutEval(line: string): string {
  const start = line.indexOf('(eval at ')
  const place = start < 0 ? undefined : MADE_AT.exec(line.slice(start))?.[1]
  return place === undefined ? line : `${line.slice(0, start)}(${place})`
}

/** The frames of an error's stack, innermost first; what is not in a file is left out. */
export function framesOf(error: unknown): Frame[] {
  return framesIn(error instanceof Error && typeof error.stack === 'string' ? error.stack : '')
}

/** The same of a stack that is text already. */
export function framesIn(stack: string): Frame[] {
  const frames: Frame[] = []
  for (const line of stack.split('\n', MAX_FRAMES)) {
    if (line.length > MAX_LINE) continue
    const match = FRAME.exec(withoutEval(line))
    if (!match) continue
    const file = pathOf(match[2] as string)
    if (file) frames.push({ file, line: Number(match[3]), column: Number(match[4]), name: match[1] ?? '' })
  }
  return frames
}

/** The path behind a file URL or path, without a query. */
export function pathOf(location: string): string | undefined {
  if (!location.startsWith('file:')) return location || undefined
  try {
    return fileURLToPath(location.replace(/[?#].*$/s, ''))
  } catch {
    // No file of this machine.
    return undefined
  }
}

/** What a frame and a plugin have in common: its very file counts most, then the nearest folder; 0 is nothing. */
function closeness(file: string, plugin: PluginView): number {
  const own = plugin.origin && pathOf(plugin.origin.url)
  if (!own) return 0
  if (file === own) return Infinity
  const folder = dirname(own) + sep
  // A library below the folder is the doing of whoever called it.
  return file.startsWith(folder) && !file.slice(folder.length).includes(`node_modules${sep}`) ? folder.length : 0
}

/** The plugin that the innermost frame of a plugin belongs to, with that frame; none where two are equally near. */
export function attribute(
  frames: readonly Frame[],
  plugins: readonly PluginView[],
): { plugin: string; frame: Frame } | undefined {
  for (const frame of frames) {
    const ranked = plugins
      .map((plugin) => ({ plugin: plugin.name, near: closeness(frame.file, plugin) }))
      .filter(({ near }) => near > 0)
      .sort((a, b) => b.near - a.near)
    const [best, second] = ranked
    if (best && best.near !== second?.near) return { plugin: best.plugin, frame }
  }
  return undefined
}

/** A place as people read it: relative to the host's folder, so that no path of the machine leaves it. */
export function placeOf({ file, line }: Frame, root: string): string {
  const path = relative(root, file)
  const inside = path !== '' && !path.startsWith('..')
  return `${inside ? path.replaceAll(sep, '/') : file.slice(file.lastIndexOf(sep) + 1)}:${line}`
}
