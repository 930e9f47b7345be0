import { WireError } from '@mynah/contract'
import { writeFileAtomically } from '@mynah/kernel/files'

const REASONS: Readonly<Record<string, readonly [code: 'forbidden' | 'not_ready', reason: string]>> = {
  EACCES: ['forbidden', 'the host may not write there'],
  EPERM: ['forbidden', 'the host may not write there'],
  EROFS: ['forbidden', 'the disk is read-only'],
  ENOSPC: ['not_ready', 'the disk is full'],
  EDQUOT: ['not_ready', 'the disk quota is used up'],
  EIO: ['not_ready', 'the disk does not respond'],
}

/**
 * Changes something on the disk. Says what the disk says where it refuses.
 *
 * @throws WireError `forbidden` or `not_ready` with the reason of the disk
 */
export async function onDisk<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    const known = REASONS[(error as NodeJS.ErrnoException).code ?? '']
    if (!known) throw error
    throw new WireError(known[0], `Nothing was written: ${known[1]}`, { cause: error })
  }
}

/**
 * Writes a file atomically. The old file stays as it was if the write fails.
 *
 * @throws WireError `forbidden` or `not_ready` with the reason of the disk
 */
export const write = (
  path: string,
  content: string | Uint8Array,
  options?: { readonly mode?: number; readonly exact?: boolean },
): Promise<void> => onDisk(() => writeFileAtomically(path, content, options))
