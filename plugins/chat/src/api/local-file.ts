import { WireError } from '@mynah/contract'
import type { Content, Segment } from '@mynah/contract/types'

const ELSEWHERE = /^(?:https?|data|base64):/i

/** Returns whether a segment of any type has a `file` that is not an address. */
export const namesLocalFile = ({ data }: Segment): boolean =>
  data.file !== undefined && !(typeof data.file === 'string' && ELSEWHERE.test(data.file))

/**
 * Refuses content of the management interface that names a file of this machine: only plugins of the host may send
 * files.
 *
 * @throws WireError `invalid_request`
 */
export function refuseLocalFiles(content: Content): void {
  if (typeof content === 'string') return
  const index = content.findIndex(namesLocalFile)
  if (index < 0) return
  const path = `content[${index}].data.file`
  const message = 'must be an address; send the bytes of a file as base64'
  throw new WireError('invalid_request', `${path} ${message}`, { details: [{ path, message }] })
}
