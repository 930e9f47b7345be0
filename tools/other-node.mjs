// node tools/other-node.mjs <major>: installs the newest Node of a major version, unless it is there, and prints its
// path.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import { root } from './lib.mjs'

/** Returns the path of a Node of that major version. */
export async function otherNode(major) {
  const name = `node-${process.platform}-${process.arch}`
  const folder = join(root, '.cache', `node-${major}`)
  const program = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(program)) return program
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', `${name}@${major}`]
  await promisify(execFile)('npm', args)
  return program
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(`${await otherNode(process.argv[2])}\n`)
