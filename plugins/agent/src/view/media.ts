import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepByHash, writeFileAtomically } from '@mynah/kernel/files'
import { omitUndefined } from '@mynah/kernel/util'
import type { FilePart, ImagePart, ModelMessage, TextPart } from '@mynah/plugin-ai/api'
import type { StoredMedium } from '../session/types.js'
import type { SharedMedia } from './shared-media.js'
import { BoundedFolder, type FolderLimits } from './bounded-folder.js'

const HASH = /^[0-9a-f]{64}$/
const GB = 1024 ** 3
/** Limits of the media that conversations show. */
const SHOWN: FolderLimits = { bytes: 8 * GB, files: 40_000 }
/** Limits of the documents that tools read. */
const INBOUND: FolderLimits = { bytes: GB, files: 5_000 }

/** Media of conversations in `data/media`, by their SHA-256. Their bytes are loaded when a request is sent. */
export class MediaFolder {
  readonly #folder: string
  readonly #shown: BoundedFolder
  readonly #inbound: BoundedFolder
  readonly #storeOfAll: SharedMedia | undefined

  /** @param shared has the media of all hosts of a cluster */
  constructor(data: string, shared?: SharedMedia) {
    this.#folder = join(data, 'media')
    this.#storeOfAll = shared
    this.#shown = new BoundedFolder(this.#folder, SHOWN)
    this.#inbound = new BoundedFolder(join(this.#folder, 'inbound'), INBOUND)
  }

  /** Stores bytes and returns the part by which entries refer to them. */
  async store(bytes: Uint8Array, mediaType: string, filename?: string, text?: string): Promise<StoredMedium> {
    await this.#shown.reserve(bytes.length)
    const hash = await keepByHash(this.#folder, bytes)
    await this.#storeOfAll?.add(hash, bytes)
    return { type: 'media', hash, mediaType, ...omitUndefined({ filename, text }) }
  }

  /** Stores bytes for tools, with the extension of their name or type. Returns the path below the host's folder. */
  async storeInbound(bytes: Uint8Array, mediaType: string, filename = ''): Promise<string> {
    const folder = join(this.#folder, 'inbound')
    const extension =
      /\.([a-z0-9]{1,8})$/i.exec(filename.slice(-10))?.[1]?.toLowerCase() ??
      (mediaType === 'application/octet-stream'
        ? 'bin'
        : mediaType
            .split('/')[1]
            ?.replace(/[^a-z0-9]/g, '')
            .slice(0, 8) || 'bin')
    const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${extension}`
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await this.#inbound.reserve(bytes.length)
    await writeFileAtomically(join(folder, name), bytes, { mode: 0o600 })
    return `data/media/inbound/${name}`
  }

  /** Returns the bytes of a hash, or `undefined` when they were removed. */
  async load(hash: string): Promise<Buffer | undefined> {
    if (!HASH.test(hash)) return undefined
    try {
      return await readFile(join(this.#folder, hash))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return this.#fetch(hash)
    }
  }

  /** Returns what another host has stored, and keeps it here. */
  async #fetch(hash: string): Promise<Buffer | undefined> {
    const bytes = await this.#storeOfAll?.get(hash)
    if (!bytes) return undefined
    await this.#shown.reserve(bytes.length)
    await keepByHash(this.#folder, bytes)
    return bytes
  }

  /** Returns the messages with the bytes of their media in place of the hashes. */
  async withBytes(messages: readonly ModelMessage[]): Promise<ModelMessage[]> {
    return Promise.all(
      messages.map(async (message) => {
        if (typeof message.content === 'string') return message
        const parts = message.content as readonly { readonly type: string }[]
        if (message.role === 'tool') {
          const content = await Promise.all(
            message.content.map(async (result) =>
              typeof result.output === 'string' ? result : { ...result, output: await this.#parts(result.output) },
            ),
          )
          return { ...message, content } as ModelMessage
        }
        return parts.some(({ type }) => type === 'media')
          ? ({ ...message, content: await this.#parts(parts) } as ModelMessage)
          : message
      }),
    )
  }

  #parts(parts: readonly { readonly type: string }[]): Promise<(TextPart | ImagePart | FilePart)[]> {
    return Promise.all(
      parts.map(async (part) => {
        if (part.type !== 'media') return part as TextPart
        const { hash, mediaType, filename, text } = part as StoredMedium
        const bytes = await this.load(hash)
        if (!bytes) return { type: 'text', text: text ?? `[${mediaType} that is no longer there]` } as const
        const data = bytes.toString('base64')
        return mediaType.startsWith('image/')
          ? ({ type: 'image', data, mediaType } as const)
          : ({ type: 'file', data, mediaType, ...omitUndefined({ filename, text }) } as const)
      }),
    )
  }
}
