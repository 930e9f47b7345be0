import { open, realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { messageOf, type Logger } from '@mynah/kernel'
import type { PromptSection } from '@mynah/plugin-agent/api'

const MAX_BYTES = 16_384

interface Part {
  readonly heading: string | undefined
  readonly lines: string[]
}

function partsOf(text: string): Part[] {
  const parts: Part[] = [{ heading: undefined, lines: [] }]
  for (const line of text.split(/\r?\n/)) {
    const heading = /^#{1,6} {1,10}(\S.{0,200})$/.exec(line)?.[1]?.trim().toLowerCase()
    if (heading !== undefined) parts.push({ heading, lines: [line] })
    else parts.at(-1)?.lines.push(line)
  }
  return parts
}

/** Joins two Markdown texts. A part whose heading both have is taken from the first. */
export function mergeProfiles(first: string, second: string): string {
  const own = partsOf(first)
  const headings = new Set(own.map(({ heading }) => heading).filter((heading) => heading !== undefined))
  const rest = partsOf(second).filter(({ heading }) => heading === undefined || !headings.has(heading))
  return [...own, ...rest]
    .map(({ lines }) => lines.join('\n').trim())
    .filter((text) => text !== '')
    .join('\n\n')
}

/**
 * Reads at most 16 KB of a file below `root`.
 *
 * @throws Error when the file is outside of `root`
 */
export async function readProfile(
  root: string,
  name: string,
): Promise<{ readonly text: string; readonly bytes: number }> {
  const path = await realpath(resolve(root, name))
  const inside = relative(await realpath(root), path)
  if (inside === '' || inside.startsWith(`..${sep}`) || inside === '..' || resolve(inside) === inside)
    throw new Error('it is not in the folder of the configuration')
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)
    return { text: buffer.subarray(0, bytesRead).toString('utf8'), bytes: (await file.stat()).size }
  } finally {
    await file.close()
  }
}

/** Creates the prompt section of the profile. */
export function profileSection(options: {
  readonly profile: string | undefined
  readonly file: string | undefined
  readonly root: string | undefined
  readonly log: Logger
}): PromptSection {
  const { profile = '', file, root, log } = options
  return {
    // After the memory (700), before the persona (720).
    id: 'assistant.profile',
    position: 'system',
    order: 710,
    title: 'Profile',
    // The profile is shown in conversations with masters and trusted users only.
    async render({ roles }) {
      if (!roles.has('master') && !roles.has('trusted')) return undefined
      if (file === undefined || root === undefined) return profile
      try {
        const { text, bytes } = await readProfile(root, file)
        return {
          text: mergeProfiles(profile, text),
          files: [{ name: file, raw: bytes, injected: Buffer.byteLength(text), cut: bytes > MAX_BYTES }],
        }
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        log.warn(`failed to read assistant.profileFile: ${code === undefined ? messageOf(error) : code}`)
        return profile
      }
    },
  }
}
