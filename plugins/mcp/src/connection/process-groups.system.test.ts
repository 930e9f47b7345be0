import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { lives, until } from '../test/support.js'

const script = (end: string): string => `
  import { StdioTransport } from ${JSON.stringify(new URL('./stdio.js', import.meta.url).href)}
  const transport = new StdioTransport({ command: process.execPath, args: [${JSON.stringify(new URL('../test/odd-server.js', import.meta.url).pathname)}, process.argv[1]], env: {}, cwd: undefined, parse: (line) => line })
  transport.onmessage = ({ result }) => {
    const pid = result.tools?.find(({ name }) => name === 'pid')?.description
    console.log(pid ?? '')
    ${end}
  }
  await transport.start()
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
`

describe('a host that ends', function () {
  this.timeout(20_000)
  async function pidOf(end: string, manner: object): Promise<{ pid: number; exit: Promise<unknown> }> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script(end), JSON.stringify(manner)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const exit = once(child, 'exit')
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    return { pid: Number(said.toString().trim()), exit }
  }

  for (const [how, end] of [
    ['by itself', 'process.exit(0)'],
    ['by an error', 'setImmediate(() => { throw new Error("broken") })'],
  ] as const) {
    it(`${how} kills servers and their children, even stubborn ones`, async () => {
      const { pid, exit } = await pidOf(end, { child: true, stubborn: true })
      expect(pid).to.be.above(1)
      await exit
      await until(() => !lives(pid))
    })
  }

  it('closes the input of servers when it is killed', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script('console.log(transport.pid)'), '{}'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    await until(() => /\d+\n/.test(said))
    const pid = Number(/(\d+)\n/.exec(said)?.[1])
    expect(lives(pid)).to.equal(true)
    child.kill('SIGKILL')
    await until(() => !lives(pid))
  })
})
