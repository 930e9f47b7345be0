import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SendError, type Segment } from '@mynah/plugin-chat/api'
import type { SlackApi } from './api.js'
import { fieldsOf, idOf, listOf, textOf } from './wire.js'

const MAX_FILE = 100 * 1024 * 1024
const string = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A file to upload. */
export interface Upload {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Returns the file of a segment that has no address. */
export async function uploadOf({ type, data }: Segment): Promise<Upload> {
  const named = (name: string, bytes: Uint8Array): Upload => ({ name: string(data.name) || name, bytes })
  if (string(data.base64)) return named(type, Buffer.from(string(data.base64), 'base64'))
  const file = string(data.file)
  if (!file)
    throw new SendError('refused', `A segment of type ${type} names no medium: url, file or base64 is required`)
  const at = file.startsWith('file:') ? fileURLToPath(file) : file
  const name = basename(at)
  const found = await stat(at).catch(() => undefined)
  if (!found?.isFile()) throw new SendError('refused', `The file "${name}" cannot be read`)
  if (found.size > MAX_FILE) throw new SendError('refused', `The file "${name}" is larger than ${MAX_FILE} bytes`)
  return named(name, await readFile(at))
}

/**
 * Uploads files that only the bot sees. Returns their addresses: a message of the bot that has them shows the files,
 * and so they are in the one message that has the key.
 */
export async function upload(api: SlackApi, files: readonly Upload[]): Promise<string[]> {
  const done: { readonly id: string; readonly title: string }[] = []
  for (const { name, bytes } of files) {
    const answer = await api.call('files.getUploadURLExternal', { filename: name, length: String(bytes.length) })
    const id = idOf(answer.file_id)
    if (id === undefined) throw new Error('Slack names no file for an upload')
    await api.upload(textOf(answer.upload_url, 4_096), bytes)
    done.push({ id, title: name })
  }
  if (done.length === 0) return []
  const shown = listOf((await api.call('files.completeUploadExternal', { files: done })).files)
  const addresses: string[] = []
  for (const { id } of done) {
    const found = textOf(shown.find((file) => file.id === id)?.permalink, 2_048)
    const { file } = found === '' ? await api.call('files.info', { file: id }) : { file: { permalink: found } }
    const address = textOf(fieldsOf(file).permalink, 2_048)
    if (!/^https?:\/\/[^\s<>|]+$/.test(address)) throw new Error('Slack names no address of a file')
    addresses.push(address)
  }
  return addresses
}
