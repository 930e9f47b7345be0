import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { LineSocket } from './line-socket.js'

describe('LineSocket', () => {
  it('ends the connection to a server that sends but does not read', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined).pause()
      const timer = setInterval(() => socket.write('PING :still here\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const socket = new LineSocket({ host: '127.0.0.1', port, tls: false, ping_timeout: 0.2 } as never)
    try {
      socket.connect()
      await once(socket, 'open')
      // More than the buffers of the system take.
      const outcomes: unknown[] = []
      for (let line = 0; line < 400; line++) socket.writeLine('x'.repeat(65_536), (error) => outcomes.push(error))
      const [reason] = (await once(socket, 'close')) as [Error]
      expect(reason.message).to.equal('The server has not read a line for 0.2 s')
      await until(() => outcomes.length === 400, 'the failure of each line')
    } finally {
      socket.disposeSocket()
      for (const one of sockets) one.destroy()
      server.close()
    }
  })
})
