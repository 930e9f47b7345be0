// From answers to files on disk: into a folder that is empty or not there, all or none.
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Answers, Kind } from './answers.js'
import { packagesIn } from './packages.js'
import { Refused } from './refused.js'
import { adapterFiles } from './templates/adapter.js'
import { botFiles } from './templates/bot.js'
import { pluginFiles } from './templates/plugin.js'
import type { Files, Packages } from './templates/shared.js'

const templates: Readonly<Record<Kind, (answers: Answers, packages: Packages) => Files>> = { bot: botFiles, plugin: pluginFiles, adapter: adapterFiles }

/**
 * Writes a project; gives the paths of its files.
 *
 * @throws Refused where the folder holds something.
 */
export async function writeProject(answers: Answers): Promise<string[]> {
  const target = resolve(answers.folder)
  const there = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Refused(`${answers.folder} cannot be used (${error.code ?? 'unknown reason'})`)
  })
  if (there?.some((name) => name !== '.git')) throw new Refused(`${answers.folder} is not empty; name another folder`)
  const files = templates[answers.kind](answers, packagesIn(answers.from, target))
  await mkdir(dirname(target), { recursive: true })
  const draft = await mkdtemp(join(dirname(target), `.${basename(target)}-`))
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(draft, path)), { recursive: true })
      await writeFile(join(draft, path), text)
    }
    if (there?.length) for (const name of await readdir(draft)) await rename(join(draft, name), join(target, name))
    else {
      if (there) await rmdir(target)
      await rename(draft, target)
    }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return Object.keys(files)
}
