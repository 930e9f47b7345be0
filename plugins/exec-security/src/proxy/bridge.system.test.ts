// Each bridge, in a view: what programs send reaches the proxy, and several connections at once do.
import { expect } from 'chai'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import type { Bridge } from './bridge.js'
import { findBridge } from './find-bridge.js'
import { hostRule, type HostRule } from './host-rules.js'
import { RunProxy } from './run-proxy.js'
import { runCommand } from '../run/run-command.js'
import { TestLevels } from '../test/levels.js'
import { findProgram } from '../view/tools.js'

const BODY = 'x'.repeat(200_000)

/** Returns this Node.js, or another one where this is in a folder that a view has for itself. */
const nodeInView = async (): Promise<string | undefined> =>
  process.execPath.startsWith(tmpdir()) ? findProgram('node', '/usr/bin:/usr/local/bin') : process.execPath

describe('bridge', function () {
  this.timeout(120_000)
  let levels: TestLevels
  let cwd: string
  let server: Server
  let proxy: RunProxy

  before(async function () {
    levels = await TestLevels.open()
    const missing = levels.missing('wall')
    if (missing !== undefined) skipBecause(this, missing)
    cwd = await realpath(await mkdtemp(join(tmpdir(), 'mynah-bridge-')))
    server = createServer((asked, response) => {
      asked.resume().once('end', () => response.end(`${asked.headers.host} ${BODY}`))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    proxy = await RunProxy.open(levels.run.socket(), [hostRule('a.example') as HostRule], {
      addresses: () => Promise.resolve(['93.184.215.14']),
      dial: () => connect({ host: '127.0.0.1', port }),
      own: () => [],
    })
  })
  after(async () => {
    await proxy?.close()
    server?.close()
    await levels.close()
    if (cwd !== undefined) await rm(cwd, { recursive: true, force: true })
  })

  async function run(bridge: Bridge, command: string): Promise<string> {
    const { wall } = levels.levels
    if (!wall) throw new Error('level wall does not work here')
    const view = await levels.view({ cwd, socket: proxy.path })
    const launcher = levels.wall(view, { tools: { ...wall, bridge } })
    const { output } = await runCommand(command, { cwd, limitMs: 60_000, launcher })
    return output
  }

  for (const kind of ['socat', 'perl', 'node'] as const)
    it(`passes requests on by ${kind}, several at once, and ends with the run`, async function () {
      const program = kind === 'node' ? await nodeInView() : await findProgram(kind)
      if (program === undefined) return skipBecause(this, `${kind} is not installed`)
      if ((await findProgram('curl')) === undefined) return skipBecause(this, 'curl is not installed')
      const bridge = { kind, program }
      const get = 'curl -s http://a.example/ | wc -c'
      const length = BODY.length + 'a.example '.length
      expect(await run(bridge, get)).to.equal(`${length}\n`)
      const several = await run(bridge, `for i in 1 2 3 4 5 6 7 8; do (${get}) & done; wait`)
      expect(several).to.equal(`${length}\n`.repeat(8))
      // A long request as well: both directions are passed on to their ends.
      expect(
        await run(bridge, `head -c 300000 /dev/zero | curl -s --data-binary @- http://a.example/ | wc -c`),
      ).to.equal(`${length}\n`)
      expect(await run(bridge, 'curl -s -o /dev/null -w "%{http_code}" http://b.example/')).to.equal('403')
      expect(await run(bridge, 'exit 7')).to.equal('')
    })

  it('is the fastest program of the view', async () => {
    const { kind } = await findBridge()
    const inView = '/usr/bin:/bin:/usr/local/bin'
    const there = await Promise.all(['socat', 'perl'].map((name) => findProgram(name, inView)))
    expect(kind).to.equal(['socat', 'perl'].find((_, at) => there[at] !== undefined) ?? 'node')
  })
})
