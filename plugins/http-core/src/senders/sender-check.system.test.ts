// Tests that processes of the host only read, however they came to be.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { expect } from 'chai'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { CommandRuns, refusedSenders, type RefusedSender } from '../api.js'
import { serve, stopAll, TOKEN, type Served } from '../test/support.js'

const CLIENT = `
const [, origin, token, method, path] = process.argv
fetch(origin + path, {
  method,
  headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
  ...(method === 'GET' ? {} : { body: '{"value":1}' }),
}).then(async (answer) => console.log(answer.status, (await answer.json()).code ?? ''), (error) => console.log(error))`

/** Sends a request from a process of its own, and returns status and code of the answer. */
async function fromProcess(origin: string, request: string, before: readonly string[] = []): Promise<string> {
  const [method = '', path = ''] = request.split(' ')
  const [file = '', ...args] = [...before, process.execPath, '-e', CLIENT, origin, TOKEN, method, path]
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await once(child.stdout, 'close')
  return text.trim()
}

/** A program that starts another one and ends, so that the other has no parent of its own. */
const ORPHANED = ['bash', '-c', 'setsid env -i "$@" &', 'bash']

const runs = (covers: boolean): AnyPlugin =>
  definePlugin({
    name: 'runs',
    provides: [CommandRuns],
    setup(ctx) {
      ctx.provide(CommandRuns, { mark: 'SENDER_TEST_RUN', covers: () => covers })
    },
  }) as unknown as AnyPlugin

describe('SenderCheck', function () {
  this.timeout(60_000)
  let served: Served
  before(function () {
    if (process.platform !== 'linux') this.skip()
  })
  afterEach(stopAll)

  it('lets processes that the host has started read and nothing else, and reports each attempt', async () => {
    served = await serve()
    const refused: RefusedSender[] = []
    served.host.on(refusedSenders, (attempt) => void refused.push(attempt))
    expect(await fromProcess(served.origin, 'GET /api/things')).to.equal('200')
    for (const request of ['POST /api/echo', 'DELETE /api/things', 'POST /hooks/webhook/a'])
      expect(await fromProcess(served.origin, request), request).to.equal('403 forbidden:descendant')
    expect(refused.map(({ action, token }) => `${action} by ${token}`)).to.deep.equal([
      'POST /api/echo by owner',
      'DELETE /api/things by owner',
      'POST /hooks/webhook/:id by anonymous',
    ])
    expect(refused.every(({ sender }) => /^process \d+$/.test(sender))).to.equal(true)
    // An unauthorised request learns nothing else.
    expect((await served.fetch('/api/echo', { method: 'POST', token: 'wrong', body: '{}' })).status).to.equal(401)
    expect((await served.fetch('/api/things', { method: 'DELETE' })).status).to.equal(200)
  })

  it('finds them on every address of the machine', async function () {
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    const address = own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
    if (address === undefined) return this.skip()
    served = await serve({ host: '0.0.0.0', hosts: [address] })
    expect(await fromProcess(`http://${address}:${served.port}`, 'DELETE /api/things')).to.equal(
      '403 forbidden:descendant',
    )
  })

  it('refuses processes without a parent that may come from a command', async () => {
    served = await serve({}, { plugins: [runs(true)] })
    expect(await fromProcess(served.origin, 'DELETE /api/things', ORPHANED)).to.equal('403 forbidden:descendant')
    expect(await fromProcess(served.origin, 'GET /api/things', ORPHANED)).to.equal('200')
  })

  it('lets other processes without a parent pass', async () => {
    served = await serve({}, { plugins: [runs(false)] })
    expect(await fromProcess(served.origin, 'DELETE /api/things', ORPHANED)).to.equal('200')
  })

  it('refuses processes with the mark of a command, whatever their parents are', async () => {
    served = await serve({}, { plugins: [runs(false)] })
    const marked = ['bash', '-c', 'SENDER_TEST_RUN=1 setsid "$@" &', 'bash']
    expect(await fromProcess(served.origin, 'DELETE /api/things', marked)).to.equal('403 forbidden:descendant')
  })
})
