import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect } from 'chai'
import { freePort } from '@mynah/kernel/testing'
import { networkFailureOf } from './network.js'

describe('networkFailureOf', () => {
  const reasonFor = async (url: string): Promise<string | undefined> => {
    const error: unknown = await fetch(url).then(
      () => expect.fail('it has answered'),
      (found: unknown) => found,
    )
    const failure = networkFailureOf(error as Record<string, unknown>)
    expect(failure?.class).to.equal('network')
    return failure?.reason
  }
  /** Returns the port of a server that answers each connection with `answer`, or closes it. */
  async function serve(answer?: string): Promise<{ port: number; stop: () => void }> {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => (answer === undefined ? socket.destroy() : socket.end(answer)))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { port: (server.address() as AddressInfo).port, stop: () => server.close() }
  }

  it('says that a connection is refused, by number and by a name with several addresses', async () => {
    const port = await freePort()
    expect(await reasonFor(`http://127.0.0.1:${port}`)).to.equal('the connection is refused')
    expect(await reasonFor(`http://localhost:${port}`)).to.equal('the connection is refused')
  })

  it('says that a name is unknown', async () => {
    expect(await reasonFor('http://models.invalid')).to.be.oneOf([
      'its name is unknown',
      'its name cannot be looked up now',
    ])
  })

  it('says that a server does not speak TLS, and that a connection broke', async () => {
    const plain = await serve('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')
    const closing = await serve()
    try {
      expect(await reasonFor(`https://127.0.0.1:${plain.port}`)).to.equal('it does not speak TLS')
      expect(await reasonFor(`http://127.0.0.1:${closing.port}`)).to.equal('the connection broke')
    } finally {
      plain.stop()
      closing.stop()
    }
  })

  it('is undefined for failures of other kinds', () => {
    expect(networkFailureOf({ name: 'TypeError', message: 'x is not a function' })).to.equal(undefined)
    expect(networkFailureOf({ name: 'Error', code: 'ENOENT' })).to.equal(undefined)
  })
})
