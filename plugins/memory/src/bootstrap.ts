// The files by which a bot is told who it is and how it works: SOUL, AGENTS and TOOLS, in order, each within its bound.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SectionText } from '@mynah/plugin-agent/api'

const KB = 1_024
/** What each file may take of a prompt, in their order. */
export const MOST = { 'SOUL.md': 8 * KB, 'AGENTS.md': 16 * KB, 'TOOLS.md': 8 * KB } as const
export type BootstrapFile = keyof typeof MOST
export const BOOTSTRAP = Object.keys(MOST) as BootstrapFile[]
/** What all of them may take together with MEMORY.md, which comes last. */
const TOGETHER = 40 * KB
const MEMORY_MOST = 12 * KB

/** A text file, or nothing where there is none. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).replaceAll('\0', '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const HEAD_CUT = '\n[… cut]'
const TAIL_CUT = '[cut …]\n'

/** The beginning of a text in whole lines, at most so long with the mark that something is missing. */
export function headOf(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const kept = Buffer.from(text)
    .subarray(0, Math.max(0, bytes - Buffer.byteLength(HEAD_CUT)))
    .toString()
    .replace(/\uFFFD$/, '')
  const end = kept.lastIndexOf('\n')
  return `${end > 0 ? kept.slice(0, end) : kept}${HEAD_CUT}`
}

/** The end of a text in whole lines, at most so long with the mark that something is missing. */
export function tailOf(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const kept = Buffer.from(text)
    .subarray(-(bytes - Buffer.byteLength(TAIL_CUT)))
    .toString()
    .replace(/^\uFFFD+/, '')
  const begin = kept.indexOf('\n')
  return `${TAIL_CUT}${begin >= 0 && begin < kept.length - 1 ? kept.slice(begin + 1) : kept}`
}

/** A text of a file as a section, cut to so many bytes; nothing where it is empty. */
export function sectionOf(
  name: string,
  whole: string | undefined,
  most: number,
  cut: typeof headOf,
): SectionText | undefined {
  const text = whole?.trim()
  if (whole === undefined || !text) return undefined
  const shown = cut(text, most)
  return {
    text: shown,
    files: [{ name, raw: Buffer.byteLength(whole), injected: Buffer.byteLength(shown), cut: shown !== text }],
  }
}

/** What one file gives to the prompt. */
export const bootstrapSection = async (folder: string, file: BootstrapFile): Promise<SectionText | undefined> =>
  sectionOf(file, await textOf(join(folder, file)), MOST[file], headOf)

/** What MEMORY.md may take beside the files. */
export async function memoryRoom(folder: string): Promise<number> {
  const taken = await Promise.all(
    BOOTSTRAP.map(async (file) => (await bootstrapSection(folder, file))?.files[0]?.injected ?? 0),
  )
  return Math.min(MEMORY_MOST, TOGETHER - taken.reduce((sum, bytes) => sum + bytes, 0))
}
