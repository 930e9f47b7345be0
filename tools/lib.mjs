// Shared by the tools: the folders of the workspace, running commands, and detecting changed inputs.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Returns the folders of all workspaces, relative to the root. */
export function workspaces(from = root) {
  const { workspaces: patterns } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  return patterns
    .flatMap((pattern) => {
      if (!pattern.endsWith('/*')) return [pattern]
      const folder = pattern.slice(0, -2)
      return existsSync(join(from, folder)) ? readdirSync(join(from, folder)).map((name) => `${folder}/${name}`) : []
    })
    .filter((folder) => existsSync(join(from, folder, 'package.json')))
}

/** Returns all files below a folder that `keep` accepts, relative to the folder. */
export function filesIn(folder, keep = () => true) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => !file.split('/').includes('node_modules') && keep(file))
    .sort()
}

/** Runs a program of `node_modules/.bin`, or any other by its path. Resolves with its exit code. */
export function run(program, args, { cwd = root, env = process.env, quiet = false } = {}) {
  const local = join(root, 'node_modules', '.bin', program)
  return new Promise((resolve, reject) => {
    const child = spawn(existsSync(local) ? local : program, args, {
      cwd,
      env,
      stdio: ['inherit', quiet ? 'ignore' : 'inherit', 'inherit'],
    })
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(signal ? 1 : code))
  })
}

const stampFile = (name) => join(root, '.cache', 'build', `${name.replaceAll('/', '-')}.stamp`)

/** Returns a fingerprint of files by name, size and time. */
export function fingerprint(folders) {
  const hash = createHash('sha256')
  for (const [folder, keep] of folders) {
    for (const file of filesIn(join(root, folder), keep)) {
      const { size, mtimeMs } = statSync(join(root, folder, file))
      hash.update(`${folder}/${file} ${size} ${mtimeMs}\n`)
    }
  }
  return hash.digest('hex')
}

/** Returns whether `name` was last built from other inputs. */
export function isStale(name, print) {
  const file = stampFile(name)
  return !existsSync(file) || readFileSync(file, 'utf8') !== print
}

export function markBuilt(name, print) {
  mkdirSync(dirname(stampFile(name)), { recursive: true })
  writeFileSync(stampFile(name), print)
}
