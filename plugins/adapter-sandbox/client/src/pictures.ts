// Pictures that a person pastes or chooses, as the segments that carry them.
import type { Content, Segment } from '@mynah/contract/types'

/** A picture that is attached and not sent yet. */
export interface Picture {
  readonly name: string
  readonly mime: string
  readonly base64: string
}

/** Most bytes of all pictures of a message. A call takes 4 MiB, and base64 makes four bytes of three. */
export const MAX_PICTURE_BYTES = 2_621_440
export const MAX_PICTURES = 4

/** Why a file is not attached. */
export type RejectionReason = 'kind' | 'size' | 'count'

export interface RejectedFile {
  readonly name: string
  readonly reason: RejectionReason
}

const PICTURE_TYPE = /^image\/(?:png|jpeg|gif|webp|avif)$/

interface Attached {
  readonly bytes: number
  readonly count: number
}

function rejectionReason(file: File, attached: Attached): RejectionReason | undefined {
  if (!PICTURE_TYPE.test(file.type)) return 'kind'
  if (attached.bytes + file.size > MAX_PICTURE_BYTES) return 'size'
  return attached.count >= MAX_PICTURES ? 'count' : undefined
}

/** Reads the pictures among files, and lists the files that cannot be attached. */
export async function readPictures(
  files: readonly File[],
  already: readonly Picture[],
): Promise<{ readonly pictures: readonly Picture[]; readonly rejected: readonly RejectedFile[] }> {
  const pictures: Picture[] = []
  const rejected: RejectedFile[] = []
  let bytes = already.reduce((sum, { base64 }) => sum + base64.length * 0.75, 0)
  for (const file of files) {
    const { name, type: mime } = file
    const reason = rejectionReason(file, { bytes, count: already.length + pictures.length })
    if (reason) {
      rejected.push({ name, reason })
      continue
    }
    bytes += file.size
    pictures.push({ name, mime, base64: toBase64(new Uint8Array(await file.arrayBuffer())) })
  }
  return { pictures, rejected }
}

const CHUNK_BYTES = 32_768

function toBase64(bytes: Uint8Array): string {
  let text = ''
  // The number of arguments of one call is limited.
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES))
  return btoa(text)
}

/** Returns text and pictures as content to send. Without pictures that is plain text. */
export function messageContent(text: string, pictures: readonly Picture[]): Content {
  if (pictures.length === 0) return text
  const images: Segment[] = pictures.map(({ name, mime, base64 }) => ({ type: 'image', data: { name, mime, base64 } }))
  return [...(text.trim() === '' ? [] : [{ type: 'text', data: { text } }]), ...images]
}
