/** The answer of a server has more bytes than the limit. */
export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes'
}

/**
 * Reads the body of an answer of another server. Does not rely on the end of the body: broken compression, for example, can
 * leave a body that neither ends nor fails, even if the signal of the request aborts.
 *
 * @throws TooManyBytes above `limit` bytes; the reason of `signal` when it aborts first
 */
export async function responseBytes({ body }: Response, limit: number, signal: AbortSignal): Promise<Buffer> {
  if (!body) return Buffer.alloc(0)
  const reader = body.getReader()
  let stop = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    stop = () => signal.removeEventListener('abort', abort)
  })
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), aborted])
      if (done) return Buffer.concat(chunks)
      if ((size += value.length) > limit) throw new TooManyBytes(`The answer has more than ${limit} bytes`)
      chunks.push(value)
    }
  } finally {
    stop()
    // Not awaited, because a hanging body may never finish to cancel.
    reader.cancel().catch(() => undefined)
  }
}
