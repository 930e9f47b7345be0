import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SectionText } from '@mynah/plugin-agent/api'

const KB = 1_024
/** The bytes of each file in a prompt, in their order. */
export const MAX_BYTES = { 'SOUL.md': 8 * KB, 'AGENTS.md': 16 * KB, 'TOOLS.md': 8 * KB } as const
export type BootstrapFile = keyof typeof MAX_BYTES
export const BOOTSTRAP_FILES = Object.keys(MAX_BYTES) as BootstrapFile[]
/** The bytes of all files together with MEMORY.md. */
const MAX_TOTAL_BYTES = 40 * KB
const MAX_MEMORY_BYTES = 12 * KB

/** Reads a text file. Returns `undefined` when it does not exist. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).replaceAll('\0', '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const HEAD_CUT = '\n[… cut]'
const TAIL_CUT = '[cut …]\n'

/** Returns the first lines of a text, at most `bytes` long including a mark for the cut. */
export function headOf(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const kept = Buffer.from(text)
    .subarray(0, Math.max(0, bytes - Buffer.byteLength(HEAD_CUT)))
    .toString()
    .replace(/\uFFFD$/, '')
  const end = kept.lastIndexOf('\n')
  return `${end > 0 ? kept.slice(0, end) : kept}${HEAD_CUT}`
}

/** Returns the last lines of a text, at most `bytes` long including a mark for the cut. */
export function tailOf(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const kept = Buffer.from(text)
    .subarray(-(bytes - Buffer.byteLength(TAIL_CUT)))
    .toString()
    .replace(/^\uFFFD+/, '')
  const begin = kept.indexOf('\n')
  return `${TAIL_CUT}${begin >= 0 && begin < kept.length - 1 ? kept.slice(begin + 1) : kept}`
}

/** Returns the text of a file as a prompt section, cut to a number of bytes. Returns `undefined` for an empty text. */
export function sectionOf(
  name: string,
  whole: string | undefined,
  maxBytes: number,
  cut: typeof headOf,
): SectionText | undefined {
  const text = whole?.trim()
  if (whole === undefined || !text) return undefined
  const shown = cut(text, maxBytes)
  return {
    text: shown,
    files: [{ name, raw: Buffer.byteLength(whole), injected: Buffer.byteLength(shown), cut: shown !== text }],
  }
}

/** Returns the prompt section of a bootstrap file. */
export const bootstrapSection = async (folder: string, file: BootstrapFile): Promise<SectionText | undefined> =>
  sectionOf(file, await readText(join(folder, file)), MAX_BYTES[file], headOf)

/** Returns the bytes that the bootstrap files leave for MEMORY.md. */
export async function memoryBudget(folder: string): Promise<number> {
  const used = await Promise.all(
    BOOTSTRAP_FILES.map(async (file) => (await bootstrapSection(folder, file))?.files[0]?.injected ?? 0),
  )
  return Math.min(MAX_MEMORY_BYTES, MAX_TOTAL_BYTES - used.reduce((sum, bytes) => sum + bytes, 0))
}
