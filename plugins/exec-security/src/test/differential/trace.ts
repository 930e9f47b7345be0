// Runs programs in real bash, in an empty folder, and tells which stub commands each of them ran.
import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { STUBS } from './generate.js'

const REAL = ['bash', 'sh', 'env', 'timeout', 'nice', 'nohup', 'stdbuf', 'setsid', 'xargs', 'find', 'cat']

const DRIVER = `n=0
while IFS= read -r -d '' p; do
  ( ulimit -t 1 -f 1000; N=$n exec bash --noprofile --norc -c "$p" ) </dev/null >/dev/null 2>&1
  n=$((n+1))
done <"$P"
`

/** The stubs that each program really ran. */
export async function traceCommands(programs: readonly string[]): Promise<readonly ReadonlySet<string>[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mynah-differential-'))
  try {
    const bin = join(folder, 'bin')
    const work = join(folder, 'work')
    await mkdir(bin)
    await mkdir(work)
    // Evaluated as arithmetic, the text and the name of these run a command.
    await writeFile(join(work, 'i'), 'a[$(c6)]\n')
    await writeFile(join(work, 'a[$(c7)]'), '')
    for (const name of REAL) {
      const path = ['/usr/bin', '/bin'].map((place) => join(place, name)).find((candidate) => existsSync(candidate))
      if (path !== undefined) await symlink(path, join(bin, name))
    }
    const log = join(folder, 'log')
    await writeFile(log, '')
    for (const stub of STUBS) {
      const file = join(bin, stub)
      await writeFile(file, `#!/bin/sh\necho "\${N:-?} ${stub}" >>'${log}'\n`)
      await chmod(file, 0o755)
    }
    const input = join(folder, 'programs')
    await writeFile(input, programs.map((program) => `${program}\0`).join(''))
    await drive(work, bin, input, log)
    const ran = programs.map(() => new Set<string>())
    for (const line of (await readFile(log, 'utf8')).split('\n')) {
      const [index = '', stub = ''] = line.split(' ')
      if (STUBS.includes(stub)) ran[Number(index)]?.add(stub)
    }
    return ran
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }
}

function drive(cwd: string, bin: string, input: string, log: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', ['--noprofile', '--norc', '-c', DRIVER], {
      cwd,
      env: { PATH: bin, P: input, L: log, HOME: cwd, LC_ALL: 'C.UTF-8', FUNCNEST: '4' },
      stdio: 'ignore',
      detached: true,
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      // Background jobs of a program may still run.
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') reject(error as Error)
      }
      if (code === 0) resolve()
      else reject(new Error(`the driver ended with ${String(code)}`))
    })
  })
}
