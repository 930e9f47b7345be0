import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { checkTarball, hasOwnCopy, type PublishCheck } from '../publish/check.js'
import { writeContributes } from '../publish/contributes.js'
import { packProject, readManifest } from '../publish/pack.js'
import { profileOf, type RuleResult } from '../publish/rule-result.js'
import { progress } from '../setup/terminal.js'
import { UserError } from '../user-error.js'
import { visibleJson, visibleLines } from '../visible.js'
import { ownVersion } from './help.js'

const MARKS: Readonly<Record<RuleResult['state'], string>> = { ok: 'ok  ', note: 'note', fix: 'FIX ' }
const OWN = fileURLToPath(new URL('../../..', import.meta.url))

/** Checks the package of this folder as a registry and its users would find it. */
export async function publishCheck({ config, options }: Arguments): Promise<number> {
  const file = resolve(config)
  const project = dirname(file)
  const { name } = readManifest(project)
  if (profileOf(name) === 'plugin' && !(await hasOwnCopy(project, OWN)))
    throw new UserError('the plugin would be checked with another copy of mynah than the one of its project', {
      exitCode: EXIT.failure,
      remedy: 'Run "npm install", then: npx mynah publish-check',
    })
  const work = await mkdtemp(join(tmpdir(), 'mynah-publish-'))
  try {
    const json = options.has('json')
    if (!json) progress('packing')
    const tarball = await packProject(project, join(work, 'packed'))
    if (!json) progress('checking')
    const found = await checkTarball({ project, tarball, work, config: file, host: ownVersion() })
    const written = options.has('write') && (await write(project, found))
    return tell(found, { json, written })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** @throws UserError where the plugin did not run */
async function write(project: string, { contributes }: PublishCheck): Promise<boolean> {
  if (!contributes)
    throw new UserError('nothing was written: the plugin did not run', {
      exitCode: EXIT.failure,
      remedy: 'Fix what "mynah publish-check" reports',
    })
  return writeContributes(project, contributes)
}

function tell(
  { name, version, profile, rules: all }: PublishCheck,
  { json, written }: { json: boolean; written: boolean },
): number {
  const rules = written ? all.filter(({ rule }) => rule !== 'contributes') : all
  const count = rules.filter(({ state }) => state === 'fix').length
  const code = count > 0 ? EXIT.failure : EXIT.ok
  if (json) {
    const text = JSON.stringify({ ok: count === 0, name, version, profile, rules }, null, 2)
    process.stdout.write(`${visibleJson(text)}\n`)
    return code
  }
  for (const { rule, state, text, remedy } of rules)
    process.stdout.write(visibleLines(`${MARKS[state]}  ${rule}: ${text}\n${remedy ? `        ${remedy}\n` : ''}`))
  if (written) process.stdout.write('\nWrote "mynah" to package.json\n')
  process.stdout.write(count > 0 ? `\n${count} to fix\n` : '\nNothing to fix. Publish it with: npm publish\n')
  return code
}
