import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecLevel } from './level.js'

const FILE = 'exec-level'
/** From the weakest to the strongest. */
const LEVELS: readonly ExecLevel[] = ['none', 'files', 'wall']

export const isLevel = (value: unknown): value is ExecLevel => LEVELS.some((level) => level === value)

/** Whether a level is weaker than another one. */
export const isWeaker = (level: ExecLevel, than: ExecLevel): boolean => LEVELS.indexOf(level) < LEVELS.indexOf(than)

/**
 * Returns the strongest level that commands ever had on this machine, if it is known. A damaged record is that of the
 * strongest one.
 *
 * @throws Error if the record cannot be read
 */
export async function reachedLevel(data: string): Promise<ExecLevel | undefined> {
  try {
    const text = await readFile(join(data, FILE), 'utf8')
    return LEVELS.find((level) => level === text.trim()) ?? 'wall'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error('the record of the level of commands cannot be read', { cause: error })
  }
}

/**
 * Records the level that commands have on this machine, and returns the strongest one that they ever had. A machine
 * that is hindered, such as by a full disk, is not a machine without the level.
 *
 * @param data the data folder of the host. Without one nothing is remembered
 * @throws Error if the record cannot be read or written
 */
export async function strongestReached(data: string | undefined, level: ExecLevel): Promise<ExecLevel> {
  if (data === undefined) return level
  const reached = await reachedLevel(data)
  if (reached !== undefined && !isWeaker(reached, level)) return reached
  const path = join(data, FILE)
  await mkdir(data, { recursive: true, mode: 0o700 })
  await writeFile(`${path}.new`, `${level}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return level
}
