// Content from outside names no file of this machine: only plugins of the host may.
import { WireError } from '@mynah/contract'
import type { Content, Segment } from '@mynah/contract/types'

const ELSEWHERE = /^(?:https?|data|base64):/i

/** Whether the segment, of whatever type, has a `file` that is no address. */
export const namesLocalFile = ({ data }: Segment): boolean =>
  data.file !== undefined && !(typeof data.file === 'string' && ELSEWHERE.test(data.file))

/**
 * Refuses content that came over the management interface and names a file of this machine: sending would read what
 * the interface does not show.
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
