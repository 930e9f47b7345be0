// Reading what another server answers: never more than a limit, and never longer than a signal allows.

/** An answer has more bytes than were asked for. */
export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes'
}

/**
 * The body of an answer. Its own end is not relied on: a broken compression, for one, can leave a body that neither ends nor
 * fails, whatever signal the request had.
 *
 * @throws TooManyBytes beyond `limit`; the reason of `signal` when that aborts first.
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
    // What is left is nobody's; a body that hangs must not be waited for here either.
    reader.cancel().catch(() => undefined)
  }
}
