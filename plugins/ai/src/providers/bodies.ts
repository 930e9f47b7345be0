// Bodies of a provider's answers on their way to its package: bounded, and quiet when they are given up.
import { ModelError } from '../api/errors.js'
import { asModelError, type Secrets } from '../errors/as-model-error.js'

/** The longest error body in bytes. */
export const MAX_ERROR_BYTES = 256 * 1024
const LF = 10

/**
 * Returns an answer whose type is JSON.
 *
 * @param lines whether a stream of lines was requested
 * @throws {@link ModelError} when the answer is one document with an error in it
 */
export async function rejectErrorDocument(response: Response, lines: boolean, secrets: Secrets): Promise<Response> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) break
    chunks.push(value)
    size += value.length
    // A document begins with a brace. Lines of JSON have a line break before its end.
    if (chunks[0]?.[0] !== 0x7b || (lines && value.includes(LF)) || size > MAX_ERROR_BYTES)
      return restoreBody(response, chunks, reader)
  }
  const document = parsedOrUndefined(Buffer.concat(chunks).toString('utf8'))
  // Some providers have an empty `error` in a success.
  if (typeof document === 'object' && document !== null && 'error' in document && document.error)
    throw asModelError(document, undefined, secrets)
  return restoreBody(response, chunks, undefined)
}

/** Returns a JSON document, or `undefined` when the text is none: the package of the family reports that. */
function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the response with the chunks that were read put back. */
function restoreBody(
  { status, headers }: Response,
  chunks: readonly Uint8Array[],
  rest: ReadableStreamDefaultReader<Uint8Array> | undefined,
): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      if (!rest) controller.close()
    },
    async pull(controller) {
      const { done, value } = (await rest?.read()) ?? { done: true, value: undefined }
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => rest?.cancel(reason),
  })
  return new Response(ignoreCancelErrors(body), { status, headers })
}

/** Returns the response with a body that fails when it, or one of its lines, is too long. */
export function limitBody(response: Response, max: number, maxLine = max): Response {
  if (!response.body) return response
  let size = 0
  let line = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length
        const end = chunk.lastIndexOf(LF)
        line = end === -1 ? line + chunk.length : chunk.length - end - 1
        if (size > max || line > maxLine)
          controller.error(
            new ModelError(
              'server',
              size > max
                ? `The provider sends more than ${max / 1024 / 1024} MiB`
                : `The provider sends a line of more than ${maxLine / 1024 / 1024} MiB`,
            ),
          )
        else controller.enqueue(chunk)
      },
    }),
  )
  const { status, statusText, headers } = response
  return new Response(ignoreCancelErrors(counted), { status, statusText, headers })
}

/**
 * Ignores failures to cancel a body. Packages cancel bodies that have failed already, without a handler for the failure
 * of that.
 */
export function ignoreCancelErrors(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const getReader = body.getReader.bind(body) as () => ReadableStreamDefaultReader<Uint8Array>
  return Object.assign(body, {
    getReader(): ReadableStreamDefaultReader<Uint8Array> {
      const reader = getReader()
      const cancel = reader.cancel.bind(reader)
      // The read has reported the failure.
      return Object.assign(reader, { cancel: (reason?: unknown) => cancel(reason).catch(() => undefined) })
    },
  })
}
