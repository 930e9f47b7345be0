import { expect } from 'chai'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GitDoor, type GitCall, type GitStreams } from './git-door.js'

/** The request of a client: a length, and fields with a NUL between them. */
function asked(cwd: string, env: readonly string[], words: readonly string[]): Buffer {
  const body = Buffer.from([cwd, String(env.length), ...env, ...words].join('\0'))
  const head = Buffer.alloc(4)
  head.writeUInt32BE(body.length)
  return Buffer.concat([head, body])
}

describe('GitDoor', () => {
  let folder = ''
  let door: GitDoor
  let calls: GitCall[]
  let run: (call: GitCall, streams: GitStreams) => Promise<number>

  beforeEach(async () => {
    calls = []
    run = (_call, { write }) => {
      write(1, Buffer.from('done\n'))
      return Promise.resolve(3)
    }
    folder = await mkdtemp(join(tmpdir(), 'mynah-door-'))
    door = await GitDoor.open(join(folder, 'door'), {
      problem: ({ folder: at }) => Promise.resolve(at === '/closed' ? 'it is closed' : undefined),
      run: (call, streams) => {
        calls.push(call)
        return run(call, streams)
      },
    })
  })
  afterEach(async () => {
    await door.close()
    await rm(folder, { recursive: true, force: true })
  })

  function client(): Socket {
    return connect(join(folder, 'door')).on('error', () => undefined)
  }
  /** Returns the whole answer of the door. */
  async function answer(bytes: Buffer): Promise<string> {
    const socket = client()
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString('latin1').replaceAll(/\0\0\0[^]/g, ':')))
    socket.write(bytes)
    await once(socket, 'end')
    socket.destroy()
    return text
  }

  it('runs a command that changes the repository, and passes on what it says', async () => {
    expect(await answer(asked('/w', ['GIT_AUTHOR_NAME=Ann=B', 'LD_PRELOAD=x'], ['commit', '-m', 'a b']))).to.equal(
      'r:1:done\nx:3',
    )
    const [call] = calls
    expect(call).to.deep.include({ cwd: '/w', folder: '/w', subcommand: 'commit', words: ['commit', '-m', 'a b'] })
    expect(call?.env).to.deep.equal({ GIT_AUTHOR_NAME: 'Ann=B' })
  })

  it('leaves the others to the client, with the reason', async () => {
    expect(await answer(asked('/w', [], ['log']))).to.equal('l:')
    expect(await answer(asked('/closed', [], ['add', 'a']))).to.equal('l:mynah: it is closed\n')
    expect(calls).to.deep.equal([])
  })

  it('gives standard input to a command that reads it', async () => {
    run = async (_call, { input, write }) => {
      input?.on('data', (chunk: Buffer) => write(2, chunk)).resume()
      if (input) await once(input, 'end')
      return 0
    }
    const socket = client()
    let said = ''
    socket.on('data', (chunk) => (said += chunk.toString('latin1')))
    socket.write(asked('/w', [], ['commit', '-F', '-']))
    await once(socket, 'data')
    socket.end('the message')
    await once(socket, 'end')
    expect(said).to.contain('the message')
  })

  it('ends a command whose client has gone, or when it closes', async () => {
    const ended: string[] = []
    run = (call, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          ended.push(call.words[1] ?? '')
          resolve(1)
        })
      })
    for (const name of ['gone', 'closed']) {
      const socket = client()
      socket.write(asked('/w', [], ['add', name]))
      await once(socket, 'data')
      if (name === 'gone') socket.destroy()
      else await door.close()
    }
    expect(ended).to.deep.equal(['gone', 'closed'])
    expect(existsSync(join(folder, 'door'))).to.equal(false)
  })

  it('runs one command at a time', async () => {
    let running = 0
    let most = 0
    run = async () => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      return 0
    }
    await Promise.all(['a', 'b', 'c'].map((name) => answer(asked('/w', [], ['add', name]))))
    expect([most, calls.length]).to.deep.equal([1, 3])
  })

  it('survives clients that ask for nothing it knows', async () => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(0xff_ff_ff_ff)
    for (const bytes of [
      length,
      Buffer.alloc(4),
      asked('', [], []),
      asked('/w', ['x'], []),
      Buffer.from('\0\0\0\u0002a\0'),
    ])
      expect(await answer(bytes), bytes.toString('hex')).to.equal('l:')
    const half = client()
    half.end('\0\0')
    await once(half.resume(), 'close')
    expect(await answer(asked(`/${'a/'.repeat(100_000)}`, [], ['add', 'x']))).to.equal('l:')
    expect(await answer(asked('/w', [], ['add', 'x'.repeat(100_000)]))).to.match(/^r:/)
  })
})
