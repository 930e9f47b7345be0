// Loading the media that a provider does not load itself, through the one door.
import type { ModelMessage } from '../api/messages.js'
import { isModelError, ModelError } from '../api/errors.js'
import { WebError, type Web } from '../api/web.js'
import { urlsToLoad, type Loaded, type PromptTarget } from './prompt.js'

const MAX_BYTES = 20 * 1024 * 1024
const TIMEOUT_MS = 15_000
const MOST = 20
const none: ReadonlyMap<string, Loaded> = new Map()

/** Loads the addresses in messages. Those that fail are left out. */
export async function loadMedia(
  messages: readonly ModelMessage[],
  target: Pick<PromptTarget, 'takesUrl' | 'media' | 'vision' | 'video' | 'pdf' | 'plain'>,
  web: Web,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Loaded>> {
  if (target.plain) return none
  const urls = urlsToLoad(messages, target)
  if (urls.size === 0) return none
  return new Map(
    await Promise.all(
      Array.from(urls)
        .slice(-MOST)
        .map(async (url): Promise<[string, Loaded]> => {
          try {
            const { status, body, mediaType } = await web.fetch(url, {
              maxBytes: MAX_BYTES,
              timeout: TIMEOUT_MS,
              signal,
            })
            return [
              url,
              status === 200
                ? { data: Buffer.from(body).toString('base64'), mediaType: mediaType || 'application/octet-stream' }
                : undefined,
            ]
          } catch (error) {
            if (signal?.aborted) throw new ModelError('aborted', 'The caller gave up')
            if (!(error instanceof WebError) && !isModelError(error)) throw error
            // The prompt says that it could not be loaded.
            return [url, undefined]
          }
        }),
    ),
  )
}
