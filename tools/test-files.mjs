// The test files of this repository by suite, as they are on disk.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from './lib.mjs'

const TEST = /\.test\.[mc]?[jt]sx?$/
const SYSTEM = /\.system\.test\.[mc]?[jt]sx?$/
const MADE = /^(?:dist|node_modules|\..*)$/

/** Returns whether a test file, source or compiled, belongs to the suite of what starts processes. */
export const isSystemTest = (file) => SYSTEM.test(file)

/** Returns the sources of all test files below a folder, relative to it. */
export function testFiles(folder = root, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name)
    if (entry.isDirectory()) return MADE.test(entry.name) ? [] : testFiles(folder, path)
    return TEST.test(entry.name) ? [path] : []
  })
}

/** Returns the source of a test file that has run, which a map names if it was compiled. */
export function sourceOf(file) {
  const path = resolve(root, file)
  if (!existsSync(`${path}.map`)) return relative(root, path)
  const { sources } = JSON.parse(readFileSync(`${path}.map`, 'utf8'))
  return relative(root, join(dirname(path), sources[0]))
}
