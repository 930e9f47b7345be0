import { readFileSync } from 'node:fs'

/**
 * Signals what runs in a view. The processes of bwrap do not get it: with them all would end at once, and git, for one,
 * would leave its locks. Returns false where nothing is found.
 *
 * @param pid the first process of bwrap
 */
export function signalInner(pid: number, signal: NodeJS.Signals): boolean {
  // The second process of bwrap is the first one of the view.
  const inner = childrenOf(pid).flatMap(descendantsOf)
  for (const one of inner) {
    try {
      process.kill(one, signal)
    } catch {
      // It has ended in the meantime.
    }
  }
  return inner.length > 0
}

const descendantsOf = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    // It has ended, or the kernel does not list them.
    return []
  }
}
