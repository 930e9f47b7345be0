import type { Segment } from '@mynah/contract/types'

/** Types of segments that are sound. */
export const SOUND_TYPES: ReadonlySet<string> = new Set(['audio', 'record', 'voice'])

const isImageFile = ({ type, data: { mime } }: Segment): boolean =>
  type === 'file' && typeof mime === 'string' && mime.startsWith('image/')

/** Returns the kinds of media in a message, for the choice of an agent. */
export function mediaKinds(segments: readonly Segment[]): ReadonlySet<string> {
  return new Set(
    segments.flatMap((segment) => {
      const { type } = segment
      if (SOUND_TYPES.has(type)) return ['audio']
      const isMedium = type === 'image' || type === 'video' || type === 'file'
      return [...(isMedium ? [type] : []), ...(isImageFile(segment) ? ['image'] : [])]
    }),
  )
}
