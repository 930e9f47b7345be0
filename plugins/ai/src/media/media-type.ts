const BEGINNINGS: readonly (readonly [type: string, offset: number, bytes: readonly number[]])[] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/gif', 0, [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]],
  ['image/bmp', 0, [0x42, 0x4d]],
  ['image/avif', 4, [0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69, 0x66]],
]

/** Returns the media type of an image by its first bytes, or `application/octet-stream`. */
export function mediaTypeOf(bytes: Uint8Array): string {
  return (
    BEGINNINGS.find(([, offset, beginning]) => beginning.every((byte, index) => bytes[offset + index] === byte))?.[0] ??
    'application/octet-stream'
  )
}
