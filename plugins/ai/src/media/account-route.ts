import type { MadeImage } from '../api/models.js'
import { keysOf } from '../config.js'
import { createFailure, asModelError } from '../errors/as-model-error.js'
import type { RegisteredProvider } from '../registry/registry.js'
import { list, record } from '../registry/model-info.js'
import { mediaTypeOf } from './media-type.js'

/** The default model of an account. */
export const ACCOUNT_MODEL = '@cf/black-forest-labs/flux-1-schnell'

/** Makes one image. */
export async function accountImage(
  provider: RegisteredProvider,
  model: string,
  prompt: string,
  size: string | undefined,
  signal: AbortSignal,
): Promise<MadeImage> {
  const { alias, config, endpoint } = provider
  const who = { provider: alias, model }
  const [width, height] = size?.split('x').map(Number) ?? []
  const response = await endpoint.fetch(
    `${routeOf(endpoint.base, config.accountId as string)}/${model.split('/').map(encodePart).join('/')}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...provider.family.keyHeaders(keysOf(config)[0]) },
      signal,
      body: JSON.stringify({ prompt, ...(width && height ? { width, height } : {}) }),
    },
  )
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (!response.ok)
    throw asModelError(
      {
        statusCode: response.status,
        responseBody: new TextDecoder().decode(bytes),
        responseHeaders: Object.fromEntries(response.headers),
        message: '',
      },
      who,
      endpoint.secrets,
    )
  const direct = mediaTypeOf(bytes)
  if (direct.startsWith('image/')) return { data: bytes, mediaType: direct }
  const inside = inJson(bytes)
  const data = inside === undefined ? undefined : new Uint8Array(Buffer.from(inside, 'base64'))
  if (!data || !mediaTypeOf(data).startsWith('image/'))
    throw createFailure('server', who, 'its answer holds no picture')
  return { data, mediaType: mediaTypeOf(data) }
}

/** `…/accounts/<id>/ai/run`, from the base of the chat surface where that is of the same account. */
function routeOf(base: string, accountId: string): string {
  const account = `/accounts/${encodeURIComponent(accountId)}/ai`
  const at = base.indexOf(account)
  if (at >= 0) return `${base.slice(0, at)}${account}/run`
  return `${new URL(base).origin}/client/v4${account}/run`
}

const encodePart = (part: string): string => encodeURIComponent(part).replace('%40', '@')

function inJson(bytes: Uint8Array): string | undefined {
  let answer: Record<string, unknown>
  try {
    answer = record(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    // Neither an image nor JSON. The caller reports that.
    return undefined
  }
  const result = record(answer['result'] ?? answer)
  const found = result['image'] ?? list(result['images'])[0] ?? record(list(answer['data'])[0])['b64_json']
  return typeof found === 'string' ? found.replace(/^data:[^,]{1,100},/, '') : undefined
}
