// Tests that the processes at the other ends of many connections are distinguished at once.
import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect } from 'chai'
import { SocketOwners } from './socket-owners.js'

const EACH = 12

describe('SocketOwners', function () {
  before(function () {
    if (process.platform !== 'linux') this.skip()
  })

  it('distinguishes children of the host, other processes and closed connections', async () => {
    const arrived: Socket[] = []
    const server = createServer((socket) => void arrived.push(socket.on('error', () => undefined)))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const connections = on(server, 'connection')
    const arrive = async (): Promise<Socket> => ((await connections.next()).value as [Socket])[0]
    const own: Socket[] = []
    const childs: number[] = []
    const gone: number[] = []
    const child = spawn(
      process.execPath,
      ['-e', `for (let n = 0; n < ${EACH}; n++) require('net').connect(${port}, '127.0.0.1')`],
      { stdio: 'ignore' },
    )
    try {
      while (childs.length < EACH) childs.push((await arrive()).remotePort as number)
      for (let n = 0; n < EACH; n++) {
        own.push(connect(port, '127.0.0.1'))
        await arrive()
        const short = connect(port, '127.0.0.1')
        const peer = await arrive()
        gone.push(peer.remotePort as number)
        peer.resume()
        short.destroy()
        await once(peer, 'close')
      }
      const senders = new SocketOwners(() => undefined)
      const ask = (ports: readonly number[]) => Promise.all(ports.map((from) => senders.of({ port: from, to: port })))
      const [first, second, third, again] = await Promise.all([
        ask(childs),
        ask(own.map((socket) => socket.localPort as number)),
        ask(gone),
        ask(childs),
      ])
      expect(first).to.deep.equal(childs.map(() => ({ kind: 'descendant', pid: child.pid })))
      expect(again).to.deep.equal(first)
      expect(second).to.deep.equal(own.map(() => ({ kind: 'foreign' })))
      expect(third.map(({ kind }) => kind)).to.deep.equal(gone.map(() => 'unidentified'))
      // A later request is looked up again.
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect((await ask(childs)).map(({ kind }) => kind)).to.deep.equal(childs.map(() => 'unidentified'))
    } finally {
      child.kill('SIGKILL')
      for (const socket of [...own, ...arrived]) socket.destroy()
      server.close()
    }
  })
})
