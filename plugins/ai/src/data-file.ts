import { readFile, stat } from 'node:fs/promises'

/**
 * Its text, or nothing where there is none. Throws where it is no file, or longer than `most` bytes: it is not even
 * opened then.
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
