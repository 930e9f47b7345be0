import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { Confinement } from './confinement.js'

const MB = 1024 * 1024

interface Outcome {
  readonly output: string
  readonly endedBy: NodeJS.Signals | number | Error
}

/** Runs what a hostile library might do. */
async function attempt(...what: readonly string[]): Promise<Outcome> {
  const child = await new Confinement().start(new URL('test/attempts-child.js', import.meta.url))
  child.input.end(JSON.stringify(what))
  return { output: await text(child.results), endedBy: await child.ended }
}

describe('Confinement: the process that reads a document', () => {
  it('runs a module, which gets its input and gives its output', async () => {
    expect(await attempt('nothing')).to.deep.equal({ output: 'done', endedBy: 0 })
  })

  it('has no variable of the host', async () => {
    const { output } = await attempt('environment')
    for (const name of ['HOME', 'USER', 'PATH', 'NODE_OPTIONS']) expect(output.split(',')).to.not.include(name)
  })

  it('has no network: it neither connects nor sends nor listens nor looks up a name', async () => {
    let requests = 0
    const server = createServer((_request, response) => {
      requests++
      response.end()
    }).listen(0, '127.0.0.1')
    await until(() => server.listening)
    try {
      const { output } = await attempt('network', String((server.address() as AddressInfo).port))
      expect(output).to.equal(
        ['fetch', 'connect', 'send', 'listen', 'lookup', 'resolve'].join(' refused,') + ' refused',
      )
      expect(requests).to.equal(0)
    } finally {
      server.close()
    }
  })

  it('writes no file and starts no process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-confined-'))
    try {
      const path = join(folder, 'written')
      expect((await attempt('write', path)).output).to.equal('ERR_ACCESS_DENIED,ERR_ACCESS_DENIED')
      expect(await stat(path).catch(() => 'no file')).to.equal('no file')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  for (const what of ['heap', 'buffers', 'small buffers'])
    it(`ends where it takes too much memory: ${what}`, async () => {
      const { output, endedBy } = await attempt(what)
      expect(endedBy === 0 && output === 'done').to.equal(false)
      // Each line is what the process had before it took more.
      const most = Math.max(0, ...output.split('\n').map((line) => Number.parseInt(line) || 0))
      expect(most).to.be.below(700 * MB)
    })

  it('ends with the host', async () => {
    const host = spawn(process.execPath, [new URL('test/ends-child.js', import.meta.url).pathname], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    host.stdout.on('data', (piece: Buffer) => (printed += piece.toString()))
    await until(() => printed.endsWith('\n'))
    host.kill('SIGKILL')
    const reader = Number(printed)
    await until(() => !isRunning(reader))
  })
})

/** Returns whether a process runs. One that has ended may wait for the init of the machine to notice. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self/stat') || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
