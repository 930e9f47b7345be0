import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isWithin } from '../real-paths.js'
import { shownOfEtc } from '../view/etc.js'
import type { ExecView } from '../view/exec-view.js'

const PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/lib32', '/proc', '/var/lib/dpkg']
/** Without a view, these are the files of this machine. */
const OWN_ETC = ['passwd', 'group', 'hosts', 'resolv.conf', 'hostname']
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'ptmx', 'pts']

/** Returns the rules of Landlock that show about the same files as a view. */
export async function fileRules(view: ExecView): Promise<string[]> {
  const readable = [
    ...view.tools,
    ...(await shownOfEtc()),
    ...OWN_ETC.map((name) => join('/etc', name)),
    ...view.files.map(({ source }) => source),
    ...view.roots.filter(({ writable }) => !writable).map(({ path }) => path),
  ]
  const writable = [
    ...DEVICES.map((name) => join('/dev', name)),
    ...[view.tmp, view.home],
    ...view.roots.filter((root) => root.writable).map(({ path }) => path),
  ]
  const programs = await Promise.all(PROGRAMS.map((folder) => uncovered(folder, view.covered)))
  return [...programs.flat(), ...readable].map((path) => `ro:${path}`).concat(writable.map((path) => `rw:${path}`))
}

/**
 * Returns a folder, or its entries where it holds something covered: a rule holds for all that is below. The command
 * cannot list such a folder.
 */
async function uncovered(folder: string, covered: readonly string[]): Promise<string[]> {
  if (covered.includes(folder)) return []
  if (!covered.some((path) => isWithin(path, folder))) return [folder]
  const entries = await readdir(folder, { withFileTypes: true })
  const inner = await Promise.all(
    // The target of a link has a rule of its own, or none.
    entries.filter((entry) => !entry.isSymbolicLink()).map(({ name }) => uncovered(join(folder, name), covered)),
  )
  return inner.flat()
}
