// `npm run lint`: oxlint, oxfmt and the checks of this folder.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkArrows } from './check-arrows.mjs'
import { checkImports } from './check-imports.mjs'
import { checkLines } from './check-lines.mjs'
import { measuredTimeFaults } from './check-measured-time.mjs'
import { checkNames } from './check-names.mjs'
import { checkPatterns } from './check-patterns.mjs'
import { checkUnused } from './check-unused.mjs'
import { checkWords } from './check-words.mjs'
import { architecture } from './draw-architecture.mjs'
import { manifests } from './manifests.mjs'
import { optionLanguages } from './option-languages.mjs'
import { optionTables } from './option-tables.mjs'
import { root, run, workspaces } from './lib.mjs'
import { undocumentedExports } from './public-exports.mjs'

const found = [
  ...checkArrows(root),
  ...checkImports(),
  ...manifests({ check: true }),
  ...measuredTimeFaults(root),
  ...architecture({ check: true }),
]
for (const workspace of workspaces())
  if (!existsSync(join(root, workspace, 'README.md'))) found.push(`${workspace}: there is no README.md`)
if (existsSync(join(root, 'plugins/http-core/dist/index.js')))
  found.push(
    ...(await optionTables({ check: true })),
    ...(await optionLanguages()),
    ...undocumentedExports(),
    ...(await checkPatterns()),
  )
else found.push('the tables of options and the patterns need the built packages; run npm run build first')
found.push(...checkLines(), ...checkNames(), ...checkWords())
for (const line of found) process.stderr.write(`${line}\n`)
const linted = await run('oxlint', ['--deny-warnings', ...process.argv.slice(2)])
const unformatted = await run('oxfmt', ['--check'])
if (unformatted) process.stderr.write('run npm run format\n')
const unused = await checkUnused()
process.exitCode = found.length ? 1 : linted || unformatted || unused
