import { strFromU8, unzipSync } from 'fflate'
import { DocumentError, MAX_UNPACKED } from './limits.js'

/** The files of an archive that a reader asked for, by their paths. */
export class Archive {
  readonly #files: Readonly<Record<string, Uint8Array>>

  /**
   * Unpacks the files that are wanted.
   *
   * @throws {@link DocumentError} when these are too large
   */
  constructor(bytes: Uint8Array, isWanted: (path: string) => boolean) {
    let unpacked = 0
    this.#files = unzipSync(bytes, {
      // The sizes that it declares are those of the buffers: a file with more fails.
      filter: ({ name, originalSize }) => {
        if (!isWanted(name)) return false
        unpacked += originalSize
        if (unpacked > MAX_UNPACKED) throw new DocumentError('it is too large when it is unpacked')
        return true
      },
    })
  }

  /** Returns a file as text, or `undefined`. */
  text(path: string): string | undefined {
    const file = Object.hasOwn(this.#files, path) ? this.#files[path] : undefined
    return file && strFromU8(file)
  }
}
