import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isWithin } from '../real-paths.js'
import { shownOfEtc } from '../view/etc.js'
import type { ExecView } from '../view/exec-view.js'

const PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/lib32', '/opt', '/proc', '/var/lib/dpkg']
/** Without a view, these are the files of this machine. */
const OWN_ETC = ['passwd', 'group', 'hosts', 'resolv.conf', 'hostname']
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'ptmx', 'pts']

/** Returns the rules of Landlock that show about the same files as a view. */
export async function fileRules(view: ExecView): Promise<string[]> {
  const readable = [
    ...PROGRAMS,
    ...view.tools,
    ...(await shownOfEtc()),
    ...OWN_ETC.map((name) => join('/etc', name)),
    ...view.homeFiles.map(({ source }) => source),
  ]
  const writable = [...DEVICES.map((name) => join('/dev', name)), view.tmp, view.home.source]
  const roots = await Promise.all(view.roots.map((root) => rulesOf(root.path, root.writable, view)))
  return [...readable.map((path) => `ro:${path}`), ...writable.map((path) => `rw:${path}`), ...roots.flat()]
}

/**
 * Returns the rules of a folder. A rule holds for all that is below, so a folder that holds something hidden is opened
 * entry by entry: the command cannot list it or make files in it.
 */
async function rulesOf(folder: string, writable: boolean, view: ExecView): Promise<string[]> {
  if (view.hidden.includes(folder)) return []
  const mayWrite = writable && !view.readOnly.includes(folder)
  const closed = [...view.hidden, ...(mayWrite ? view.readOnly : [])]
  if (!closed.some((path) => path !== folder && isWithin(path, folder))) return [`${mayWrite ? 'rw' : 'ro'}:${folder}`]
  const entries = await readdir(folder, { withFileTypes: true })
  const inner = await Promise.all(
    // The target of a link has a rule of its own, or none.
    entries.filter((entry) => !entry.isSymbolicLink()).map(({ name }) => rulesOf(join(folder, name), mayWrite, view)),
  )
  return inner.flat()
}
