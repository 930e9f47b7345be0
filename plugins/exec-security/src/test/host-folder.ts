// A folder of a host on disk, with secrets next to the working folder, for commands at a level.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const SECRET = 'a-secret-of-the-host'
const FILES = { 'data/http-token': SECRET, 'mynah.config.yml': SECRET, '.env': SECRET }

export interface HostFolder {
  readonly root: string
  readonly cwd: string
  /** The folders as the host has them. */
  readonly paths: { readonly root: string; readonly data: string }
  remove(): Promise<void>
}

/**
 * Makes the folder with its secrets and `more` files.
 *
 * @param where the folder that it is made in
 */
export async function hostFolder(
  more: Readonly<Record<string, string>> = {},
  where: string = tmpdir(),
): Promise<HostFolder> {
  const root = await realpath(await mkdtemp(join(where, 'mynah-sandbox-')))
  for (const folder of ['plugins', 'workspace']) await mkdir(join(root, folder))
  for (const [name, text] of Object.entries({ ...FILES, ...more })) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  return {
    root,
    cwd: join(root, 'workspace'),
    paths: { root, data: join(root, 'data') },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}
