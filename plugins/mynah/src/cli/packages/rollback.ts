import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, WireError } from '@mynah/contract'
import type { Folders } from './folders.js'
import { changesBetween, parseLock } from './lockfile.js'
import { effectOf, type Prepared } from './plan.js'
import { canRollBack, manifestsHash } from './swap.js'

/**
 * Returns the plan that puts the kept packages back. It needs neither npm nor a network.
 *
 * @throws WireError `conflict` where none are kept, or others were installed meanwhile
 */
export function planRollback(folders: Folders): Prepared {
  if (!canRollBack(folders))
    throw new WireError('conflict', 'No packages of before are kept, or others were installed since then')
  const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8')
  const listed = new Set(
    [folders.root, folders.previous].flatMap((folder) => {
      const { dependencies } = JSON.parse(read(folder, 'package.json')) as { readonly dependencies?: unknown }
      return isRecord(dependencies) ? Object.keys(dependencies) : []
    }),
  )
  const [before, after] = [folders.root, folders.previous].map((folder) => parseLock(read(folder, 'package-lock.json')))
  const found = changesBetween(before as never, after as never, listed)
  // A package that goes may run: its plugin does not end before the configuration no longer lists it.
  const gone = found.filter(({ to }) => to === undefined).map(({ name }) => `${name} may run, and is removed`)
  const { takesEffect, reasons } = effectOf(found)
  return {
    view: {
      planId: randomUUID(),
      action: 'rollback',
      changes: found.map(({ script: _, ...change }) => change),
      contributes: {},
      advisories: 'not checked: these packages were installed before',
      takesEffect: gone.length > 0 ? 'restart' : takesEffect,
      reasons: [...reasons, ...gone.slice(0, 10)],
      refusals: [],
    },
    base: manifestsHash(folders.root),
    createdAt: Date.now(),
  }
}
