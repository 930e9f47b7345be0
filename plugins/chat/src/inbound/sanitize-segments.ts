import type { Content, Segment } from '@mynah/contract/types'
import { namesLocalFile } from '../api/local-file.js'
import { toSegments } from '../api/segments.js'
import { isSerializable } from '../api/serializable.js'

/**
 * Returns the segments of an inbound message without what a hostile platform could do harm with: data that no store could
 * write, components of plugins, hashes of stored media, and files of this machine. Their names become `fileId`, so that a
 * bot that repeats a message sends no file.
 */
export function sanitizeSegments(content: Content): Segment[] {
  const segments = toSegments(content).filter(({ data }) => isSerializable(data))
  if (!segments.some(isSuspicious)) return segments
  return segments
    .filter(({ type }) => type !== 'component')
    .map((segment) => (isSuspicious(segment) ? withoutReferences(segment) : segment))
}

function withoutReferences(segment: Segment): Segment {
  const { file, hash: _, ...data } = segment.data
  if (file === undefined) return { type: segment.type, data }
  return { type: segment.type, data: { ...data, [namesLocalFile(segment) ? 'fileId' : 'file']: file } }
}

// With the hash a bot that repeats a message would send a file of another user.
const isSuspicious = (segment: Segment): boolean =>
  segment.type === 'component' || segment.data.hash !== undefined || namesLocalFile(segment)
