// Fetching the file behind a segment's `fileId`; the address that Telegram gives for it holds the token and stays here.
import type { Api } from 'grammy'
import { WireError } from '@mynah/contract'
import { responseBytes, TooManyBytes } from '@mynah/plugin-http-core/api'
import type { TelegramFile } from './api.js'
import { wireErrorOf } from './errors.js'

/** What the Bot API gives at most. */
const MAX_BYTES = 20 * 1024 * 1024
const TIMEOUT_MS = 60_000

/** Downloads a file of a message. */
export async function download(api: Api, apiRoot: string, fileId: string, signal: AbortSignal): Promise<TelegramFile> {
  const file = await api.getFile(fileId, signal as never).catch((error: unknown) => { throw wireErrorOf(error) })
  const path: unknown = (file as { file_path?: unknown } | null)?.file_path
  // A Bot API server in local mode gives a path of its own machine.
  if (typeof path !== 'string' || !/^[\w-][\w./-]*$/.test(path) || path.includes('..')) throw new WireError('upstream_unavailable', 'Telegram gives no address for the file')
  const failed = (): never => { throw new WireError('upstream_unavailable', 'The file could not be fetched from Telegram') }
  const patience = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  const response = await fetch(`${apiRoot}/file/bot${api.token}/${path}`, { redirect: 'error', signal: patience }).catch(failed)
  if (!response.ok || !response.body) {
    void response.body?.cancel().catch(() => undefined)
    return failed()
  }
  const bytes = await responseBytes(response, MAX_BYTES, patience).catch((error: unknown) => {
    if (error instanceof TooManyBytes) throw new WireError('too_large', `The file is larger than ${MAX_BYTES} bytes`)
    return failed()
  })
  return { bytes, name: path.slice(path.lastIndexOf('/') + 1) }
}
