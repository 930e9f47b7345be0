import { chmod, mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Answers, Kind } from './answers.js'
import { packagesIn } from './packages.js'
import { reasonOf } from './reasons.js'
import { assertEmpty } from './target.js'
import { UsageError } from './usage-error.js'
import { adapterFiles } from './templates/adapter.js'
import { botFiles } from './templates/bot.js'
import { pluginFiles } from './templates/plugin.js'
import type { Files, Packages } from './templates/shared.js'

const templates: Readonly<Record<Kind, (answers: Answers, packages: Packages) => Files>> = {
  bot: botFiles,
  plugin: pluginFiles,
  adapter: adapterFiles,
}

/**
 * Writes the files of a project, all or none. Returns their paths.
 *
 * @throws UsageError when the folder is not empty or cannot be written
 */
export async function writeProject(answers: Answers): Promise<string[]> {
  const target = resolve(answers.folder)
  const there = await assertEmpty(answers.folder)
  const files = templates[answers.kind](answers, packagesIn(answers.from, target))
  return await write(files, target, there).catch((error: unknown) => {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    throw new UsageError(`${answers.folder} was not written, and nothing is left of it: ${reason}`)
  })
}

/**
 * Creates a folder and its missing parents. Returns the first one that was created. Unlike `mkdir` with `recursive`,
 * which tries for ever, it fails below a folder that accepts no new ones, such as `/proc`. Copied from the kernel,
 * since this package has no dependencies.
 */
async function makeFolder(path: string): Promise<string | undefined> {
  const make = (): Promise<string | undefined> =>
    mkdir(path).then(
      () => path,
      async (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST' && (await stat(path)).isDirectory()) return undefined
        throw error
      },
    )
  try {
    return await make()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    const above = await makeFolder(dirname(path))
    const made = await make()
    return above ?? made
  }
}

/** @param there the names in the target folder, if it exists */
async function write(files: Files, target: string, there: readonly string[] | undefined): Promise<string[]> {
  let made: string | undefined
  let draft: string | undefined
  let isWhole = false
  try {
    made = await makeFolder(dirname(target))
    draft = await mkdtemp(join(dirname(target), `.${basename(target)}-`))
    // The default mode: temporary folders are closed to other users.
    await chmod(draft, 0o777 & ~process.umask())
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(draft, path)), { recursive: true })
      // Environment files hold keys.
      await writeFile(join(draft, path), text, path === '.env' ? { mode: 0o600 } : {})
    }
    if (there?.length) for (const name of await readdir(draft)) await rename(join(draft, name), join(target, name))
    else {
      if (there) await rmdir(target)
      await rename(draft, target)
    }
    isWhole = true
    return Object.keys(files)
  } finally {
    if (draft !== undefined) await rm(draft, { recursive: true, force: true })
    if (made !== undefined && !isWhole) await rm(made, { recursive: true, force: true })
  }
}
