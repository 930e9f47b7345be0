// Paths of the machine in texts that leave it: the one place that shortens them.
import { homedir } from 'node:os'
import { relative, sep } from 'node:path'

/** First folders of paths of the machine; other text that begins with a slash is usually the path of a request. */
const FOLDERS = [
  'Applications',
  'Library',
  'Users',
  'Volumes',
  'bin',
  'boot',
  'dev',
  'etc',
  'home',
  'lib',
  'lib64',
  'media',
  'mnt',
  'nix',
  'opt',
  'private',
  'proc',
  'root',
  'run',
  'sbin',
  'snap',
  'srv',
  'sys',
  'tmp',
  'usr',
  'var',
]

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * A function that shortens the paths in a text: those below `root` become relative, of others the last name stays.
 * The time it takes grows with the length of the text and with nothing else in it.
 */
export function pathRedactor(root: string | undefined): (text: string) => string {
  const own = [root, process.cwd(), homedir(), process.execPath]
    .map((path) => path?.split(sep)[1])
    .filter((name): name is string => Boolean(name))
  const folders = [...new Set([...FOLDERS, ...own])].map(escape).join('|')
  const paths = new RegExp(
    `(?:file://|(?<![\\w.~/-]))/(?:${folders})/[^\\s'"\`<>|:;,()]*|[A-Za-z]:\\\\[^\\s'"<>|:;,()]+`,
    'g',
  )
  return (text) =>
    text.replace(paths, (found) => {
      const path = found.startsWith('file://') ? found.slice('file://'.length) : found
      if (root !== undefined && path.startsWith('/')) {
        const inside = relative(root, path)
        if (inside === '') return '.'
        if (inside !== '..' && !inside.startsWith(`..${sep}`)) return inside
      }
      return `…/${path.split(/[\\/]/).findLast(Boolean) ?? ''}`
    })
}
