import { homedir } from 'node:os'
import { relative, sep } from 'node:path'

/** First folders of absolute file paths. Other texts that begin with a slash are usually paths of requests. */
const ROOT_FOLDERS = [
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
 * Returns a function that shortens the file paths in a text. Paths below `root` become relative, others are reduced to
 * their last name. Takes time linear in the length of the text.
 */
export function pathRedactor(root: string | undefined): (text: string) => string {
  const own = [root, process.cwd(), homedir(), process.execPath]
    .map((path) => path?.split(sep)[1])
    .filter((name): name is string => Boolean(name))
  const folders = [...new Set([...ROOT_FOLDERS, ...own])].map(escape).join('|')
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
