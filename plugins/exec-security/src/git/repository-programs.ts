// The programs that git would run for a repository, such as hooks. Files are read without following links.
import { constants, lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { names } from '../policy/programs/program-spec.js'
import { parseGitSettings, type GitSetting } from '../view/parse-git-settings.js'

/** Hooks of every command that changes the index or references. */
const ALWAYS = names('post-index-change reference-transaction')
const OF_CHECKOUT = ['post-checkout']
const OF_COMMIT = names(`
  applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit
  post-merge pre-rebase post-rewrite post-checkout
`)
/** Hooks of commands, besides those of every one. */
const HOOKS: ReadonlyMap<string, readonly string[]> = new Map([
  ...names('checkout switch worktree').map((name) => [name, OF_CHECKOUT] as const),
  ...names('commit merge pull rebase cherry-pick revert am').map((name) => [name, OF_COMMIT] as const),
  ['push', ['pre-push']],
])
/** Commands that read or write files of the working folder through filters. */
const FILTERED = new Set(
  names('add am checkout cherry-pick commit merge pull rebase reset restore revert stash switch worktree'),
)
const MAX_SETTINGS = 256 * 1024
const MAX_HOOKS = 200

/**
 * Returns the programs that a command of git would run for a repository, in words.
 *
 * @param folder the folder `.git`
 */
export async function repositoryPrograms(subcommand: string, folder: string): Promise<readonly string[]> {
  const settings = parseGitSettings((await readPlain(join(folder, 'config'))) ?? '')
  const filters = FILTERED.has(subcommand) ? settings.filter(isFilter) : []
  return [
    ...(await hooksOf(subcommand, folder, settings)),
    ...new Set(filters.map(({ subsection = '' }) => `the filter ${subsection}`)),
  ]
}

async function hooksOf(
  subcommand: string,
  folder: string,
  settings: readonly GitSetting[],
): Promise<readonly string[]> {
  const path = settings.findLast(({ section, key }) => section === 'core' && key === 'hookspath')?.value
  const own = HOOKS.get(subcommand)
  if (path !== undefined) return own ? [`the hooks in ${path}`] : []
  const names = new Set([...ALWAYS, ...(own ?? [])])
  return (await hooksIn(join(folder, 'hooks'))).filter((name) => names.has(name)).map((name) => `the hook ${name}`)
}

const isFilter = ({ section, key }: GitSetting): boolean =>
  (section === 'filter' && /^(?:clean|smudge|process)$/.test(key)) || (section === 'merge' && key === 'driver')

async function hooksIn(folder: string): Promise<readonly string[]> {
  const found = await lstat(folder).catch(() => undefined)
  if (!found?.isDirectory()) return []
  const entries = (await readdir(folder)).filter((name) => !name.endsWith('.sample')).slice(0, MAX_HOOKS)
  const all = await Promise.all(
    entries.map(async (name) => {
      const entry = await lstat(join(folder, name)).catch(() => undefined)
      return entry !== undefined && (entry.isSymbolicLink() || (entry.mode & 0o111) !== 0) ? [name] : []
    }),
  )
  return all.flat()
}

/** Returns the text of a file, as far as it is not too long, or undefined where there is none. */
export async function readPlain(path: string): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(unlessFull)
  if (file === undefined) return undefined
  try {
    if (!(await file.stat()).isFile()) return undefined
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_SETTINGS), 0, MAX_SETTINGS, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } catch {
    // A folder, or a file that another user may read.
    return undefined
  } finally {
    await file.close()
  }
}

/** Without free descriptors, nothing is known of a file. */
function unlessFull(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'EMFILE' || error.code === 'ENFILE') throw error
  return undefined
}
