// Reports readiness and stops to systemd.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { Bench, plugin } from '../test/cli.js'

/** Prints each datagram that comes; Node has no sockets of this kind. */
const LISTENER =
  'import socket,sys\ns=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM)\ns.bind(sys.argv[1])\nprint("listens",flush=True)\nwhile True: print(s.recv(4096).decode().replace("\\n"," "),flush=True)'
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0

describe('notifyServiceManager', () => {
  let bench: Bench | undefined
  afterEach(async () => {
    await bench?.remove()
  })

  it('notifies when all plugins have started and when the host stops', async function () {
    if (!has('python3') || !has('systemd-notify')) this.skip()
    // The plugin needs some time to start.
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./p.js]',
      'p.js':
        "export default { name: 'p', async setup(ctx) { await new Promise((resolve) => setTimeout(resolve, 200)); ctx.log.info('has begun') } }",
    })
    const socket = join(bench.folder, 'notify')
    const listener = spawn('python3', ['-c', LISTENER, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
    let heard = ''
    listener.stdout.setEncoding('utf8').on('data', (text: string) => {
      heard += text
    })
    const hears = async (what: string): Promise<void> => {
      while (!heard.includes(what)) await once(listener.stdout, 'data')
    }
    try {
      await hears('listens')
      const running = bench.start('start', { NOTIFY_SOCKET: socket })
      await hears('READY=1')
      await running.shows(/has begun/)
      expect(await running.signal('SIGTERM')).to.equal(0)
      await hears('STOPPING=1')
      expect(heard.match(/READY=1/g)).to.have.length(1)
    } finally {
      listener.kill()
    }
  })

  it('logs a warning if the notification fails', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [./p.js]', 'p.js': plugin('p', '') })
    const running = bench.start('start', { NOTIFY_SOCKET: join(bench.folder, 'gone') })
    await running.shows(/failed to notify the service manager of READY=1/)
    expect(await running.signal('SIGTERM')).to.equal(0)
  })
})
