// `node clients.mjs <port> <count> <path> <end>`: reads a stream with many sockets, reports when all are done.
import { connect } from 'node:net'

const [port, count] = process.argv.slice(2, 4).map(Number)
const [path, end] = process.argv.slice(4)
let ended = 0
let bytes = 0

const open = (index) =>
  new Promise((resolve, reject) => {
    // Uses several local addresses: one has too few ports for ten thousand connections.
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${1 + (index % 4)}` }, () =>
      socket.write(
        [
          `GET ${path} HTTP/1.1`,
          'Host: 127.0.0.1',
          'Accept: text/event-stream',
          'Authorization: Bearer benchbenchbenchbench',
          '\r\n',
        ].join('\r\n'),
      ),
    )
    socket.once('error', reject)
    let first = true
    socket.on('data', (chunk) => {
      if (first) {
        first = false
        resolve()
      }
      bytes += chunk.length
      if (chunk.includes(end, Math.max(0, chunk.length - 160)) && ++ended % count === 0) {
        process.send({ bytes, at: performance.timeOrigin + performance.now() })
        bytes = 0
      }
    })
  })

for (let index = 0; index < count; index += 100)
  await Promise.all(Array.from({ length: Math.min(100, count - index) }, (_, step) => open(index + step)))
bytes = 0
process.send('ready')
process.on('disconnect', () => process.exit(0))
