import type { Session } from '../database/connect.js'

/** A shared file as its row says, without its bytes. */
export interface SharedRow {
  readonly path: string
  readonly rev: number
  /** SHA-256 of its bytes; null where it was removed. */
  readonly sha: string | null
}

/** Returns all shared files, removed ones too. */
export async function listFiles(session: Session): Promise<readonly SharedRow[]> {
  const { rows } = await session.query<{ path: string; rev: string; sha: string | null }>(
    'SELECT path, rev, sha FROM shared_file ORDER BY path',
  )
  return rows.map(({ path, rev, sha }) => ({ path, rev: Number(rev), sha }))
}

/** Returns the bytes of a file in a revision, `undefined` where it has another one now. */
export async function readShared(
  session: Session,
  { path, rev }: Pick<SharedRow, 'path' | 'rev'>,
): Promise<{ readonly bytes: Buffer; readonly isExecutable: boolean } | undefined> {
  const { rows } = await session.query<{ body: Buffer | null; executable: boolean }>(
    'SELECT body, executable FROM shared_file WHERE path = $1 AND rev = $2',
    [path, rev],
  )
  const [row] = rows
  return row?.body ? { bytes: row.body, isExecutable: row.executable } : undefined
}

/** A new revision of a file. */
interface Change {
  readonly path: string
  /** The revision that it was made from; 0 for a new file. */
  readonly from: number
  readonly sha: string | null
  readonly bytes: Uint8Array | null
  readonly isExecutable: boolean
}

/** Writes a file. Returns its revision, or `undefined` where another host was first. */
export async function writeShared(session: Session, change: Change): Promise<number | undefined> {
  const { path, from, sha, bytes, isExecutable } = change
  const { rows } = await session.query<{ rev: string }>(
    `INSERT INTO shared_file (path, rev, sha, body, executable) VALUES ($1, nextval('shared_file_rev'), $3, $4, $5)
     ON CONFLICT (path) DO UPDATE SET rev = nextval('shared_file_rev'), sha = $3, body = $4, executable = $5
     WHERE shared_file.rev = $2 RETURNING rev`,
    [path, from, sha, bytes, isExecutable],
  )
  return rows[0] && Number(rows[0].rev)
}
