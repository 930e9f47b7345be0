import { skipBecause } from '@mynah/kernel/testing'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rmdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../..')
const MAY_SEARCH = 0o001
/** Shows the project at its own path, below a folder that everybody may search. Runs the rest of its arguments. */
const UNCOVER = `set -e; root=$1 spare=$2 closed=$3; shift 3
mount --bind "$root" "$spare"; mount -t tmpfs -o mode=755 none "$closed"; mkdir -p "$root"; mount --bind "$spare" "$root"
cd "$root"; exec "$@"`

/** Runs a test file as a user that is not root. Returns what it has said, and how it has ended. */
export async function asAnotherUser(
  context: Mocha.Context,
  file: string,
): Promise<{ readonly code: number | null; readonly said: string }> {
  if (process.getuid?.() !== 0) skipBecause(context, 'only root can become another user')
  const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
  const args = ['--no-config', '--exit', '--timeout', '600000', '--reporter', 'dot', file]
  const user = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, mocha, ...args]
  const closed = await closedFolder()
  if (closed === undefined) return run(user)
  const spare = await mkdtemp(join(tmpdir(), 'mynah-spare-'))
  try {
    return await run(['unshare', '--mount', 'sh', '-c', UNCOVER, 'sh', ROOT, spare, closed, ...user])
  } finally {
    await rmdir(spare)
  }
}

/** Returns the outermost folder above the project that another user may not search, as a fresh clone may be in one. */
async function closedFolder(): Promise<string | undefined> {
  let closed: string | undefined
  for (let folder = ROOT; folder !== dirname(folder); folder = dirname(folder))
    if (((await stat(folder)).mode & MAY_SEARCH) === 0) closed = folder
  return closed
}

async function run([program = '', ...args]: readonly string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(program, args, {
    env: { ...process.env, HOME: '/nonexistent', XDG_RUNTIME_DIR: '', NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}
