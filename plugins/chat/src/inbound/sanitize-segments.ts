// What comes in from a platform is hostile: it may name no file of this machine, and use no component of a plugin.
import type { Content, Segment } from '@mynah/contract/types'
import { namesLocalFile } from '../api/local-file.js'
import { toSegments } from '../api/segments.js'
import { isSerializable } from '../api/serializable.js'

/**
 * The segments of an inbound message; those that no store could write are left out. A `file` that is no address becomes `fileId`: a bot that repeats what it hears would
 * otherwise send files of its own machine.
 */
export function sanitizeSegments(content: Content): Segment[] {
  const segments = toSegments(content).filter(({ data }) => isSerializable(data))
  if (!segments.some(suspicious)) return segments
  return segments
    .filter(({ type }) => type !== 'component')
    .map((segment) => {
      if (!suspicious(segment)) return segment
      const { file, hash: _, ...data } = segment.data
      return {
        type: segment.type,
        data: { ...data, ...(namesLocalFile(segment) ? { fileId: file } : file === undefined ? {} : { file }) },
      }
    })
}

// By its hash a bot that repeats what it hears would send what somebody else has sent.
const suspicious = (segment: Segment): boolean =>
  segment.type === 'component' || segment.data.hash !== undefined || namesLocalFile(segment)
