// Parses JSON while it arrives. Only the requested parts are created, and the event loop is free between chunks.
import { JSONParser } from '@streamparser/json'

/** Parts of an answer, by path such as `$.name` or `$.versions.*`, and their handler. */
export interface Parts {
  readonly paths: readonly string[]
  /** Called with each part: its path as keys from the root, and its value. */
  readonly take: (keys: readonly (string | number)[], value: unknown) => void
}

/** Thrown for an answer above the limit. */
class AnswerTooLarge extends Error {
  override readonly message = 'its answer is too large'
}

const MAX_DEPTH = 64
/** Bytes that are parsed at once, which takes a few milliseconds. */
const STEP = 32_768

const QUOTE = 34
const BACKSLASH = 92

/** Counts levels before the parser, which allocates memory for each level. */
class Depth {
  #level = 0
  #inString = false
  #escaped = false

  /** @throws SyntaxError if the text is nested too deeply */
  follow(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false
        else if (byte === BACKSLASH) this.#escaped = true
        else if (byte === QUOTE) this.#inString = false
      } else if (byte === QUOTE) this.#inString = true
      else if (byte === 123 || byte === 91) {
        if (++this.#level > MAX_DEPTH) throw new SyntaxError('nested too deeply')
      } else if (byte === 125 || byte === 93) this.#level--
    }
  }
}

/**
 * Reads the body of an answer.
 *
 * @throws AnswerTooLarge above `limit` bytes; SyntaxError if it is not JSON
 */
export async function readParts(response: Response, { paths, take }: Parts, limit: number): Promise<void> {
  const parser = new JSONParser({ paths: [...paths], keepStack: false })
  parser.onValue = ({ value, key, stack }) => {
    // The root has no key of its own.
    const keys = [...stack.slice(1).map((level) => level.key), key].filter((part) => part !== undefined)
    take(keys, value)
  }
  const depth = new Depth()
  let size = 0
  for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > limit) throw new AnswerTooLarge()
    for (let at = 0; at < chunk.length; at += STEP) write(parser, depth, chunk.subarray(at, at + STEP))
  }
  if (!parser.isEnded) throw new SyntaxError('it ends too early')
}

function write(parser: JSONParser, depth: Depth, bytes: Uint8Array): void {
  depth.follow(bytes)
  let failed: unknown
  try {
    parser.write(bytes)
    return
  } catch (error) {
    failed = error
  }
  throw new SyntaxError('it is not JSON', { cause: failed })
}
