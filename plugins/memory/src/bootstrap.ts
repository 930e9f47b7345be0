// The files by which a bot is told who it is and how it works: SOUL, AGENTS and TOOLS, in order, within one bound.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Of all three together. */
export const MAX_BYTES = 40 * 1024
export const BOOTSTRAP = ['SOUL.md', 'AGENTS.md', 'TOOLS.md'] as const
export type BootstrapFile = (typeof BOOTSTRAP)[number]

/** A text file, or nothing where there is none. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).replaceAll('\0', '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The beginning of a text in whole lines. */
export function headOf(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const kept = Buffer.from(text).subarray(0, Math.max(0, bytes)).toString().replace(/\uFFFD$/, '')
  const end = kept.lastIndexOf('\n')
  return `${end > 0 ? kept.slice(0, end) : kept}\n[… cut]`
}

/** The end of a text in whole lines. */
export function tailOf(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const kept = Buffer.from(text).subarray(-bytes).toString().replace(/^\uFFFD+/, '')
  const begin = kept.indexOf('\n')
  return `[cut …]\n${begin >= 0 && begin < kept.length - 1 ? kept.slice(begin + 1) : kept}`
}

/** What one file gives to the prompt: earlier files take their share first. */
export async function bootstrapText(folder: string, file: BootstrapFile): Promise<string | undefined> {
  const before = BOOTSTRAP.slice(0, BOOTSTRAP.indexOf(file))
  let room = MAX_BYTES
  for (const earlier of before) room -= Math.min(room, Buffer.byteLength((await textOf(join(folder, earlier)))?.trim() ?? ''))
  const text = (await textOf(join(folder, file)))?.trim()
  return text && room > 0 ? headOf(text, room) : undefined
}
