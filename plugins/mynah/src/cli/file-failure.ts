// Failures of the file system, which are nobody's mistake in code: what, where, and what to do about it.
import { relative } from 'node:path'
import { EXIT } from './exit-codes.js'
import { UserError } from './user-error.js'

const RIGHTS = [
  'this user may not do that there',
  'Run it as the user of the host, or give this user the right',
] as const
/** What is missing otherwise is for whoever looked for it to say. */
const NO_FOLDER = ['no folder can be made there', 'Name another place'] as const
const FAILURES: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  EROFS: ['it is read-only there', 'Name a place elsewhere'],
  ENOSPC: ['the disk is full', 'Make room there, or name a place on another disk'],
  EDQUOT: ['the share of the disk is used up', 'Make room there, or name a place on another disk'],
  ENOTDIR: ['a part of the path is a file', 'Name another place'],
  EEXIST: ['something is there already', 'Name another place'],
  ENAMETOOLONG: ['the name is too long', 'Name another place'],
  EIO: ['the disk does not answer as it should', 'Look at the log of the system'],
}

/** The failure as it is told to a person; undefined for other errors. */
export function fileFailure(error: unknown): UserError | undefined {
  const { code = '', path, dest, syscall } = error as NodeJS.ErrnoException & { dest?: string }
  const known =
    syscall === undefined ? undefined : syscall === 'mkdir' && code === 'ENOENT' ? NO_FOLDER : FAILURES[code]
  const where = dest ?? path
  if (!known || where === undefined) return undefined
  const near = relative(process.cwd(), where)
  return new UserError(`${near.startsWith('..') ? where : near || '.'}: ${known[0]} (${code})`, {
    exitCode: EXIT.failure,
    remedy: known[1],
    cause: error,
  })
}
