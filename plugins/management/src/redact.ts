// Texts of failures on their way out of the host: no absolute path leaves it.
import { basename } from 'node:path'

/** Where paths of a machine begin; anything else that looks like a path, such as a route, is left alone. */
const TOPS = ['Applications', 'Users', 'Volumes', 'bin', 'boot', 'dev', 'etc', 'home', 'lib', 'lib64', 'media', 'mnt', 'nix', 'opt', 'private', 'proc', 'root', 'run', 'sbin', 'snap', 'srv', 'sys', 'tmp', 'usr', 'var']
const MAX_LENGTH = 1_000

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const topOf = (path: string): string | undefined => /^\/([^/]+)/.exec(path)?.[1]

/** A function that shortens paths in a text: those below `root` become relative, others lose their folder. */
export function redactor(root: string | undefined): (text: string) => string {
  const known = [root, process.cwd()].filter((path) => path !== undefined).map(topOf).filter((top) => top !== undefined)
  const tops = Array.from(new Set([...TOPS, ...known]), escapePattern).join('|')
  const absolute = new RegExp(`(?<![\\w.])(?:file://)?(?:/(?:${tops})(?=[/'"\`:),;\\s]|$)|[A-Za-z]:\\\\)[^'"\`:),;\\s]*`, 'g')
  const below = root === undefined ? undefined : new RegExp(`(?:file://)?${escapePattern(root)}[/\\\\]`, 'g')
  return (text) => {
    const relative = below ? text.replace(below, '') : text
    const short = relative.replace(absolute, (path) => basename(path.replaceAll('\\', '/')) || '…')
    return short.length > MAX_LENGTH ? `${short.slice(0, MAX_LENGTH)}…` : short
  }
}
