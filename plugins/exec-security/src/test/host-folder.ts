// A folder of a host on disk, with secrets next to the working folder, for commands in the sandbox.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { environmentFiles, type SandboxView } from '../run/sandbox.js'

export const SECRET = 'a-secret-of-the-host'
const FILES = { 'data/http-token': SECRET, 'mynah.config.yml': SECRET, '.env': SECRET }

export interface HostFolder {
  readonly root: string
  readonly cwd: string
  view(): Promise<SandboxView>
  remove(): Promise<void>
}

/** Makes the folder with its secrets and `more` files. */
export async function hostFolder(more: Readonly<Record<string, string>> = {}): Promise<HostFolder> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'mynah-sandbox-')))
  const cwd = join(root, 'workspace')
  for (const folder of ['plugins', 'workspace', 'tmp']) await mkdir(join(root, folder))
  for (const [name, text] of Object.entries({ ...FILES, ...more })) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  return {
    root,
    cwd,
    view: async () => ({
      cwd,
      tmp: join(root, 'tmp'),
      network: false,
      readOnly: [join(cwd, 'plugins'), join(root, 'plugins')],
      hidden: [join(root, 'data'), join(root, 'mynah.config.yml'), ...(await environmentFiles(root))],
    }),
    remove: () => rm(root, { recursive: true, force: true }),
  }
}
