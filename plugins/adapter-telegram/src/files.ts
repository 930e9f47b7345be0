// Fetching the file behind a segment's `fileId`; the address that Telegram gives for it holds the token and stays here.
import type { Api } from 'grammy'
import { WireError } from '@mynah/contract'
import type { TelegramFile } from './api.js'
import { wireErrorOf } from './errors.js'

/** What the Bot API gives at most. */
const MAX_BYTES = 20 * 1024 * 1024
const TIMEOUT_MS = 60_000

async function bounded(body: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    if ((size += chunk.length) > MAX_BYTES) throw new WireError('too_large', `The file is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Downloads a file of a message. */
export async function download(api: Api, apiRoot: string, fileId: string, signal: AbortSignal): Promise<TelegramFile> {
  const file = await api.getFile(fileId, signal as never).catch((error: unknown) => { throw wireErrorOf(error) })
  const path = file.file_path ?? ''
  // A Bot API server in local mode gives a path of its own machine.
  if (!/^[\w-][\w./-]*$/.test(path) || path.includes('..')) throw new WireError('upstream_unavailable', 'Telegram gives no address for the file')
  const failed = (): never => { throw new WireError('upstream_unavailable', 'The file could not be fetched from Telegram') }
  const response = await fetch(`${apiRoot}/file/bot${api.token}/${path}`, { redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) }).catch(failed)
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    return failed()
  }
  const bytes = await bounded(response.body).catch((error: unknown) => { throw error instanceof WireError ? error : failed() })
  return { bytes, name: path.slice(path.lastIndexOf('/') + 1) }
}
