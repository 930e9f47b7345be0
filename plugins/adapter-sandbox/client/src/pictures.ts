// Pictures that a person pastes or chooses, as the segments that carry them.
import type { Content, Segment } from '@mynah/contract/types'

/** A picture that waits to be sent. */
export interface Picture {
  readonly name: string
  readonly mime: string
  readonly base64: string
}

/** A call takes 4 MiB, and base64 makes four bytes of three. */
export const MAX_PICTURE_BYTES = 2_621_440
export const MAX_PICTURES = 4

/** Why a file is not taken. */
export type Refusal = 'kind' | 'size' | 'count'

/** The pictures among files; each that is refused is told with its reason. */
export async function picturesOf(
  files: readonly File[],
  already: readonly Picture[],
): Promise<{
  readonly pictures: readonly Picture[]
  readonly refused: readonly { readonly name: string; readonly why: Refusal }[]
}> {
  const pictures: Picture[] = []
  const refused: { name: string; why: Refusal }[] = []
  let bytes = already.reduce((sum, { base64 }) => sum + base64.length * 0.75, 0)
  for (const file of files) {
    const why: Refusal | undefined = !/^image\/(?:png|jpeg|gif|webp|avif)$/.test(file.type)
      ? 'kind'
      : bytes + file.size > MAX_PICTURE_BYTES
        ? 'size'
        : already.length + pictures.length >= MAX_PICTURES
          ? 'count'
          : undefined
    if (why) {
      refused.push({ name: file.name, why })
      continue
    }
    bytes += file.size
    pictures.push({ name: file.name, mime: file.type, base64: base64Of(new Uint8Array(await file.arrayBuffer())) })
  }
  return { pictures, refused }
}

const CHUNK = 32_768

function base64Of(bytes: Uint8Array): string {
  let text = ''
  // Arguments of one call are limited.
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}

/** Text and pictures as what is sent: plain text where there are no pictures. */
export function contentOf(text: string, pictures: readonly Picture[]): Content {
  if (pictures.length === 0) return text
  const images: Segment[] = pictures.map(({ name, mime, base64 }) => ({ type: 'image', data: { name, mime, base64 } }))
  return [...(text.trim() === '' ? [] : [{ type: 'text', data: { text } }]), ...images]
}
