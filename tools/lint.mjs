// `npm run lint`: the linter, the arrows between packages, and a README in every workspace.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkArrows } from './check-arrows.mjs'
import { root, run, workspaces } from './lib.mjs'

const found = checkArrows(root)
for (const workspace of workspaces()) if (!existsSync(join(root, workspace, 'README.md'))) found.push(`${workspace}: there is no README.md`)
for (const line of found) process.stderr.write(`${line}\n`)
const linted = await run('oxlint', ['--deny-warnings', ...process.argv.slice(2)])
process.exitCode = found.length ? 1 : linted
