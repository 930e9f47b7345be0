import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@mynah/kernel'
import type { ExecLevel } from './levels/level.js'

/** The file in the data directory that says that the owner was notified. */
const TOLD = 'exec-levels-told'

const CHANGES: Readonly<Record<'wall' | 'below', string>> = {
  wall:
    'new: commands have an empty home folder of their own (ai.agent.execView.home adds files), see only their working ' +
    'folder (ai.agent.execView), and reach hosts by name (ai.agent.execHosts, ai.agent.execNetwork)',
  below:
    'new: without level wall, listed commands are asked about unless they provably only read ' +
    '(ai.agent.execUnwalled: text judges them by their text alone)',
}

/** Tells the owner once, at the first start with levels, what they change. */
export async function tellMigration(level: ExecLevel, data: string | undefined, log: Logger): Promise<void> {
  if (data === undefined) return
  try {
    await (await open(join(data, TOLD), 'wx', 0o600)).close()
  } catch {
    // The owner was notified, or the folder is not there yet: then the next start does it.
    return
  }
  log.warn(level === 'wall' ? CHANGES.wall : CHANGES.below)
}
