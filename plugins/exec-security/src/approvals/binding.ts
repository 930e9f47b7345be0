import { realpath, stat } from 'node:fs/promises'
import type { ApprovalRequest } from '../api.js'
import { originColumns, type Approval } from './approval.js'

/** The properties that bind an approval. */
export type Bound = Pick<ApprovalRequest, 'kind' | 'text' | 'origin' | 'folder' | 'adds'>

/** The folder of a command as it is now: another folder under its name is another place. */
export interface Place {
  /** The path without links. */
  readonly folder: string
  /** Device and inode. */
  readonly identity: string
}

/** The place of a folder that is not there. */
const ABSENT = 'absent'

export async function placeOf(folder: string): Promise<Place> {
  try {
    const real = await realpath(folder)
    const { dev, ino } = await stat(real, { bigint: true })
    return { folder: real, identity: `${dev}:${ino}` }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { folder, identity: ABSENT }
  }
}

type Columns = Pick<
  Approval,
  'kind' | 'command' | 'adapter' | 'endpointId' | 'channel' | 'userId' | 'subagent' | 'folder' | 'place' | 'adds'
>

/** The columns that an approval is bound by. A sub-agent acts for the origin of its agent. */
export async function bindingOf({ kind, text, origin, folder, adds = [] }: Bound): Promise<Columns> {
  const place = folder === undefined ? undefined : await placeOf(folder)
  return {
    kind,
    command: text,
    ...originColumns(origin),
    folder: place?.folder ?? null,
    place: place?.identity ?? null,
    adds: adds.length === 0 ? null : [...adds].sort(),
  }
}

/** Returns whether an approval was asked for exactly this. */
export function isBound(approval: Approval, binding: Columns): boolean {
  return (
    (['kind', 'command', 'adapter', 'endpointId', 'channel', 'userId', 'folder', 'place'] as const).every(
      (column) => (approval[column] ?? null) === binding[column],
    ) && JSON.stringify(approval.adds ?? null) === JSON.stringify(binding.adds)
  )
}
