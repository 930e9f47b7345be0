// The list of test files that may run twice (test/unsteady.txt). The list may only shrink.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './lib.mjs'

export const LIST = 'test/unsteady.txt'

/** Returns the entries of a list: a path, two or more spaces, a reason. Throws on any other line. */
export function parseList(text) {
  return text
    .split('\n')
    .filter((line) => line.trim() && !line.startsWith('#'))
    .map((line) => {
      const [, path, reason] = /^(\S+) {2,}(\S.*)$/.exec(line) ?? []
      if (!path) throw new Error(`${LIST}: "${line}" is not "path  reason"`)
      return { path, reason }
    })
}

/** Returns the source of a compiled test, relative to the root; a test that is not compiled is its own source. */
export function sourceOf(file, from = root) {
  const path = relative(from, join(from, file.startsWith(from) ? relative(from, file) : file))
  const candidates = [path.replace('/dist/test/', '/'), path.replace('/dist/', '/src/')]
    .map((other) => other.replace(/\.js$/, '.ts'))
    .filter((other) => other !== path && existsSync(join(from, other)))
  return candidates[0] ?? path
}

/** Returns whether every failed file is in the list, so that all of them may run again. */
export function mayRunAgain(failed, list, from = root) {
  const known = new Set(list.map(({ path }) => path))
  return failed.length > 0 && failed.every((file) => known.has(sourceOf(file, from)))
}

/** Returns the paths that `now` has and an earlier version of the list has not. */
export function growth(now, before) {
  const known = new Set(before.map(({ path }) => path))
  return now.map(({ path }) => path).filter((path) => !known.has(path))
}

/** Returns the versions of the list that git knows, newest first; none where there is no history. */
function earlierLists(from) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: from, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    return git('log', '--format=%H', '--diff-filter=AM', '--', LIST)
      .split('\n')
      .filter(Boolean)
      .map((commit) => parseList(git('show', `${commit}:${LIST}`)))
  } catch {
    return []
  }
}

/** Returns what is wrong with the list: lines that cannot be read, files that do not exist, additions. */
export function unsteadyFaults(from = root) {
  let list
  try {
    list = parseList(readFileSync(join(from, LIST), 'utf8'))
  } catch (error) {
    return [error.message]
  }
  const added = new Set(earlierLists(from).flatMap((before) => growth(list, before)))
  return [
    ...list.filter(({ path }) => !existsSync(join(from, path))).map(({ path }) => `${LIST}: ${path} does not exist`),
    ...Array.from(added, (path) => `${LIST}: ${path} was added; the list may only shrink, fix the test instead`),
  ]
}
