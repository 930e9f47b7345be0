import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { skipBecause } from './skip-because.js'

/** Runs a test file as a user that is not root. Returns what it has said, and how it has ended. */
export async function asAnotherUser(
  context: Mocha.Context,
  file: string,
): Promise<{ readonly code: number | null; readonly said: string }> {
  if (process.getuid?.() !== 0) skipBecause(context, 'only root can become another user')
  const user = ['--reuid=65534', '--regid=65534', '--clear-groups']
  const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
  const args = [mocha, '--no-config', '--exit', '--timeout', '600000', '--reporter', 'dot', file]
  const child = spawn('setpriv', [...user, process.execPath, ...args], {
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
