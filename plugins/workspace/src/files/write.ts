// Writing for a caller on the wire: what keeps the disk from taking a file is told, and nothing is half-written.
import { WireError } from '@mynah/contract'
import { writeFileAtomically } from '@mynah/kernel/files'

const REASONS: Readonly<Record<string, readonly [code: 'forbidden' | 'not_ready', reason: string]>> = {
  EACCES: ['forbidden', 'the host may not write there'],
  EPERM: ['forbidden', 'the host may not write there'],
  EROFS: ['forbidden', 'the disk is read-only'],
  ENOSPC: ['not_ready', 'the disk is full'],
  EDQUOT: ['not_ready', 'the disk quota is used up'],
  EIO: ['not_ready', 'the disk does not answer'],
}

/** Writes a file whole. Where the disk does not take it, the caller is told why, and the old file is as it was. */
export async function write(
  path: string,
  content: string,
  options?: { readonly mode?: number; readonly exact?: boolean },
): Promise<void> {
  try {
    await writeFileAtomically(path, content, options)
  } catch (error) {
    const known = REASONS[(error as NodeJS.ErrnoException).code ?? '']
    if (!known) throw error
    throw new WireError(known[0], `Nothing was written: ${known[1]}`, { cause: error })
  }
}
