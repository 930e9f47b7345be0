// Checks that tests which start a browser are where `npm run test:pages` finds them, and `npm test` does not.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { importsOf, isSource } from './check-arrows.mjs'
import { filesIn, workspaces } from './lib.mjs'

const STARTS_BROWSER = /resolveOnDemand\('(?:browser|firefox)'/
/** Tests that need a browser and do not run in `npm test`. */
const PAGE_TEST = /^console\/test\/[^/]+\.test\.ts$|\.page\.test\.ts$/
const TEST = /\.test\.[mc]?[jt]s$/

/** Returns the source of a module that a test imports by a relative path, also of a compiled one. */
function sourceOf(from, file, to) {
  const path = normalize(join(dirname(file), to))
  return [path.replace('/dist/test/', '/'), path.replace('/dist/', '/src/'), path]
    .flatMap((name) => [name.replace(/\.js$/, '.ts'), name.replace(/\.js$/, '.tsx'), name])
    .find((name) => existsSync(join(from, name)))
}

/** Returns a function that says whether a module loads a browser's driver, itself or by what it imports. */
function browserUse(from) {
  const known = new Map()
  const uses = (file) => {
    const found = known.get(file)
    if (found !== undefined) return found
    known.set(file, false) // for a circle of imports
    const text = readFileSync(join(from, file), 'utf8')
    const result =
      STARTS_BROWSER.test(text) ||
      importsOf(text).some(({ to, type }) => {
        if (type) return false
        if (to === 'playwright-core') return true
        const source = to.startsWith('.') ? sourceOf(from, file, to) : undefined
        return source !== undefined && uses(source)
      })
    known.set(file, result)
    return result
  }
  return uses
}

/** Returns the tests whose name hides that they start a browser, one line each. */
export function pageTestFaults(from) {
  const uses = browserUse(from)
  return [...workspaces(from), 'test', 'tools']
    .flatMap((folder) =>
      filesIn(join(from, folder), (file) => TEST.test(file) && isSource(file)).map((file) => `${folder}/${file}`),
    )
    .filter((file) => !PAGE_TEST.test(file) && uses(file))
    .map((file) => `${file} starts a browser; name it *.page.test.ts, so that npm run test:pages runs it`)
}
