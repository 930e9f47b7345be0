// The file of permanent approvals: its form, reading it with distrust, and replacing it whole.
import { mkdir, readFile, rename, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Type, type Static } from '@mynah/contract/type'
import { mistakesIn } from '@mynah/contract/validate'
import type { Logger } from '@mynah/kernel'
import { messageOf } from '@mynah/kernel'
import { writeFileAtomically } from '@mynah/kernel/files'
import { exampleProblem } from './rule-examples.js'

const MODE = 0o600
/**
 * The largest file after a change, enough for some thousand rules. The file is written and sent to the console as a
 * whole.
 */
export const MAX_WRITTEN_BYTES = 256 * 1024
/** Limit for reading: above that for writing, since a refused file takes all approvals with it. */
const MAX_READ_BYTES = 4 * 1024 * 1024

const PermanentGrant = Type.Object(
  {
    bashAlways: Type.Boolean(),
    bashRules: Type.Array(
      Type.Object(
        {
          id: Type.String({ minLength: 8, maxLength: 64 }),
          pattern: Type.String({ minLength: 1, maxLength: 1000 }),
          createdAt: Type.Number(),
          match: Type.Optional(Type.Array(Type.String())),
          noMatch: Type.Optional(Type.Array(Type.String())),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

const GrantsFile = Type.Object(
  { version: Type.Literal(2), endpoints: Type.Record(Type.String(), PermanentGrant) },
  { additionalProperties: false },
)

/** The permanent approvals of one endpoint. */
export type PermanentGrant = Static<typeof PermanentGrant>

/** Reads the file. One that is not understood counts as no approval, and is kept aside under another name. */
export async function readGrants(path: string, log: Logger, now: number): Promise<Map<string, PermanentGrant>> {
  try {
    const { mode, size } = await stat(path)
    if ((mode & 0o022) !== 0) throw new Error('others than its owner may write it')
    if (size > MAX_READ_BYTES) throw new Error('it is too large')
    return parse(await readFile(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    const aside = `${basename(path)}.unreadable-${now}`
    const why = (error as NodeJS.ErrnoException).code ?? messageOf(error)
    await rename(path, join(dirname(path), aside))
    log.error(
      `failed to read the permanent approvals in ${basename(path)}, none of them apply and the file is renamed to ` +
        `${aside}: ${why}`,
    )
    return new Map()
  }
}

function parse(text: string): Map<string, PermanentGrant> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error('it is no JSON', { cause: error })
  }
  const mistake = mistakesIn(GrantsFile, value)[0]
  if (mistake) throw new Error(`${mistake.path || 'the file'} ${mistake.message}`)
  const endpoints = new Map(Object.entries((value as Static<typeof GrantsFile>).endpoints))
  for (const { bashRules } of endpoints.values()) {
    for (const rule of bashRules) {
      // A later version may cover less than an example says: such a rule is no harm, and its owner keeps the others.
      const problem = exampleProblem({ ...rule, match: [] })
      if (problem !== undefined) throw new Error(`the rule ${rule.id} is not usable: ${problem}`)
    }
  }
  return endpoints
}

/** The text of the file. */
export function serializeGrants(endpoints: ReadonlyMap<string, PermanentGrant>): string {
  return `${JSON.stringify({ version: 2, endpoints: Object.fromEntries(endpoints) }, null, 2)}\n`
}

/** Replaces the file so that at every moment the old or the new one is there, whole. Only its owner may read it. */
export async function writeGrants(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFileAtomically(path, text, { mode: MODE, exact: true })
}
