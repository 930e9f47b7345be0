import type { Api } from 'grammy'
import { WireError } from '@mynah/contract'
import type { FetchLimits } from '@mynah/plugin-chat/api'
import { responseBytes, TooManyBytes } from '@mynah/plugin-http-core/api'
import { wireErrorOf } from './errors.js'

/** Largest file of the Bot API. */
const MAX_BYTES = 20 * 1024 * 1024
const MAX_ID = 1_024

/** Downloads the file of a message. The address contains the token and is never passed on. */
export async function download(api: Api, apiRoot: string, fileId: unknown, limits: FetchLimits): Promise<Uint8Array> {
  const { signal } = limits
  const maxBytes = Math.min(limits.maxBytes, MAX_BYTES)
  const tooLarge = (): never => {
    throw new WireError('too_large', `The file is larger than ${maxBytes} bytes`)
  }
  if (typeof fileId !== 'string' || fileId === '' || fileId.length > MAX_ID)
    throw new WireError('not_found', 'The segment names no file of Telegram')
  const file = await api.getFile(fileId, signal as never).catch((error: unknown) => {
    throw wireErrorOf(error)
  })
  const { file_path: path, file_size: size } = (file ?? {}) as { file_path?: unknown; file_size?: unknown }
  if (typeof size === 'number' && size > maxBytes) tooLarge()
  // A Bot API server in local mode returns a path of its own machine.
  if (typeof path !== 'string' || !/^[\w-][\w./-]*$/.test(path) || path.includes('..'))
    throw new WireError('upstream_unavailable', 'Telegram gives no address for the file')
  const failed = (): never => {
    throw new WireError('upstream_unavailable', 'Failed to fetch the file from Telegram')
  }
  const response = await fetch(`${apiRoot}/file/bot${api.token}/${path}`, { redirect: 'error', signal }).catch(failed)
  if (!response.ok || !response.body) {
    void response.body?.cancel().catch(() => undefined)
    return failed()
  }
  return responseBytes(response, maxBytes, signal).catch((error: unknown) =>
    error instanceof TooManyBytes ? tooLarge() : failed(),
  )
}
