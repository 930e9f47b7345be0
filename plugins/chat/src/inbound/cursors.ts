import type { Cursors } from '../api/inbound.js'

const MAX_VALUE_BYTES = 4_096
const MAX_NAME_LENGTH = 256
/** Begins the names of cursors that chat itself has. */
const RESERVED = 'chat:'

/**
 * Checks what an adapter gives as cursors.
 *
 * @throws RangeError for a name or a value that is too long, or a name that is reserved
 */
export function assertCursors(cursors: Cursors): void {
  for (const [name, value] of Object.entries(cursors)) {
    if (name.length > MAX_NAME_LENGTH)
      throw new RangeError(`The name of a cursor is longer than ${MAX_NAME_LENGTH} characters`)
    if (name.startsWith(RESERVED)) throw new RangeError(`The name "${name}" of a cursor begins with ${RESERVED}`)
    if (Buffer.byteLength(value) > MAX_VALUE_BYTES)
      throw new RangeError(`The cursor "${name}" is longer than ${MAX_VALUE_BYTES} bytes`)
  }
}
