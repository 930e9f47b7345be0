import { readFile, stat } from 'node:fs/promises'

/**
 * Returns the text of a file, or `undefined` when it does not exist.
 *
 * @throws when it is not a file, or has more than `most` bytes, without opening it
 */
export async function readDataFile(file: string, most: number): Promise<string | undefined> {
  try {
    const found = await stat(file)
    if (!found.isFile()) throw new Error('it is no file')
    if (found.size > most) throw new Error(`it is longer than ${most} bytes`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
