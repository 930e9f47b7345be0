// `npm run lint`: the linter, the arrows between packages, a README in every workspace with its table of options, manifests fit to publish.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkArrows } from './check-arrows.mjs'
import { manifests } from './manifests.mjs'
import { optionTables } from './option-tables.mjs'
import { root, run, workspaces } from './lib.mjs'
import { unsteadyFaults } from './unsteady.mjs'

const found = [...checkArrows(root), ...manifests({ check: true }), ...unsteadyFaults()]
for (const workspace of workspaces())
  if (!existsSync(join(root, workspace, 'README.md'))) found.push(`${workspace}: there is no README.md`)
if (existsSync(join(root, 'plugins/http-core/dist/index.js'))) found.push(...(await optionTables({ check: true })))
else found.push('the tables of options are made from what is built: run npm run build first')
for (const line of found) process.stderr.write(`${line}\n`)
const linted = await run('oxlint', ['--deny-warnings', ...process.argv.slice(2)])
const unformatted = await run('oxfmt', ['--check'])
if (unformatted) process.stderr.write('run npm run format\n')
process.exitCode = found.length ? 1 : linted || unformatted
