const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there; name another folder, or get the right to write',
  EPERM: 'you may not write there; name another folder, or get the right to write',
  EROFS: 'it is read-only there; name a folder elsewhere',
  ENOSPC: 'the disk is full; make room, or name a folder on another one',
  EDQUOT: 'your share of the disk is used up; make room, or name a folder on another one',
  ENOENT: 'no folder can be made there; name another folder',
  ENOTDIR: 'a part of its path is a file; name another folder',
  EEXIST: 'a part of its path is a file; name another folder',
  ENAMETOOLONG: 'its name is too long; name another folder',
  ELOOP: 'its path goes in circles; name another folder',
}

/** Returns the reason and remedy of a file system error, or undefined for other errors. */
export function reasonOf(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (typeof code !== 'string' || syscall === undefined) return undefined
  return REASONS[code] ?? `the system says ${code}`
}
