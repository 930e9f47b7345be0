/** Pages, sheets or slides of a document that are read. */
export const MAX_PAGES = 200
/** Time for one document, in milliseconds. */
export const READ_MS = 10_000
/** Bytes of all files of an archive that are read, unpacked. */
export const MAX_UNPACKED = 64 * 1024 * 1024
/** The heap of the process that reads a document, in bytes. */
export const MAX_HEAP = 256 * 1024 * 1024
/** All of its memory that is in use, buffers included, in bytes. */
export const MAX_MEMORY = 512 * 1024 * 1024
/** Its private memory, in bytes, in addition to what it has before it reads. */
export const MAX_GROWTH = 512 * 1024 * 1024
/** Characters of text of one document. */
export const MAX_TEXT = 4_000_000

/** A document cannot be read. The message says why, in words for the model and its user. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
}
