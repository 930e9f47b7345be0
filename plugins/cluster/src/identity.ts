import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, writeFileAtomically } from '@mynah/kernel/files'

/** The identity of a host lies in its data directory: a restored backup of it is the same host. */
const FILE = 'host-id'
const ID = /^[\w-]{8,64}$/

/** Returns the id of the host with this data directory. It is made at the first start. */
export async function hostId(data: string): Promise<string> {
  const path = join(data, FILE)
  const known = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (ID.test(known.trim())) return known.trim()
  const id = randomUUID()
  await makeFolder(data)
  await writeFileAtomically(path, `${id}\n`, { mode: 0o600 })
  return id
}
