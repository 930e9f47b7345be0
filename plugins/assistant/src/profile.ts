// What every agent should know of its owner: the profile of the configuration, merged with that of a file.
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

/** Both texts; of a heading that both have, only the first text's part. */
export function merged(first: string, second: string): string {
  const own = partsOf(first)
  const headings = new Set(own.map(({ heading }) => heading).filter((heading) => heading !== undefined))
  const rest = partsOf(second).filter(({ heading }) => heading === undefined || !headings.has(heading))
  return [...own, ...rest]
    .map(({ lines }) => lines.join('\n').trim())
    .filter((text) => text !== '')
    .join('\n\n')
}

/** Reads a file below `root`, at most 16 KB of it. */
export async function readProfile(
  root: string,
  name: string,
): Promise<{ readonly text: string; readonly bytes: number }> {
  const path = await realpath(resolve(root, name))
  const inside = relative(await realpath(root), path)
  if (inside === '' || inside.startsWith(`..${sep}`) || inside === '..' || resolve(inside) === inside)
    throw new Error('it is not beside the configuration')
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)
    return { text: buffer.subarray(0, bytesRead).toString('utf8'), bytes: (await file.stat()).size }
  } finally {
    await file.close()
  }
}

/** The section, where there is a profile. */
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
    // What is known of the owner is for those whom the owner trusts.
    async render({ roles }) {
      if (!roles.has('master') && !roles.has('trusted')) return undefined
      if (file === undefined || root === undefined) return profile
      try {
        const { text, bytes } = await readProfile(root, file)
        return {
          text: merged(profile, text),
          files: [{ name: file, raw: bytes, injected: Buffer.byteLength(text), cut: bytes > MAX_BYTES }],
        }
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        log.warn(`assistant.profileFile cannot be read: ${code === undefined ? messageOf(error) : code}`)
        return profile
      }
    },
  }
}
