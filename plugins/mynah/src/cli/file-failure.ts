import { relative } from 'node:path'
import { EXIT } from './exit-codes.js'
import { UserError } from './user-error.js'

const RIGHTS = ['this user has no permission', 'Run it as the user of the host, or give this user permission'] as const
/** Used for `mkdir` only. Other callers report missing files themselves. */
const NO_FOLDER = ['the folder cannot be created', 'Choose another path'] as const
const FAILURES: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  EROFS: ['the disk is read-only', 'Choose another path'],
  ENOSPC: ['the disk is full', 'Free up space, or choose a path on another disk'],
  EDQUOT: ['the disk quota is used up', 'Free up space, or choose a path on another disk'],
  ENOTDIR: ['a part of the path is a file', 'Choose another path'],
  EEXIST: ['the path already exists', 'Choose another path'],
  ENAMETOOLONG: ['the name is too long', 'Choose another path'],
  EIO: ['the disk reports an error', 'Check the system log'],
}

function reasonOf(code: string, syscall: string | undefined): readonly [reason: string, remedy: string] | undefined {
  if (syscall === undefined) return undefined
  return syscall === 'mkdir' && code === 'ENOENT' ? NO_FOLDER : FAILURES[code]
}

/** Converts an error of the file system into a UserError. Returns `undefined` for other errors. */
export function fileFailure(error: unknown): UserError | undefined {
  const { code = '', path, dest, syscall } = error as NodeJS.ErrnoException & { dest?: string }
  const known = reasonOf(code, syscall)
  const where = dest ?? path
  if (!known || where === undefined) return undefined
  const near = relative(process.cwd(), where)
  return new UserError(`${near.startsWith('..') ? where : near || '.'}: ${known[0]} (${code})`, {
    exitCode: EXIT.failure,
    remedy: known[1],
    cause: error,
  })
}
