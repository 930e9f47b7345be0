import { once } from 'node:events'
import { dirname, resolve } from 'node:path'
import { DEFAULT_CONSOLE_PORT } from '@mynah/contract/wire'
import { portOf, type Arguments } from '../arguments.js'
import { NoConsole, openConsole } from '../console-site.js'
import { EXIT } from '../exit-codes.js'

export async function serveConsole({ config, values }: Arguments): Promise<number> {
  const port = portOf('port', values['port'], DEFAULT_CONSOLE_PORT)
  try {
    const site = await openConsole(dirname(resolve(config)), 'built', {
      port,
      option: '--port=',
      ...(values['host'] ? { host: values['host'] } : {}),
    })
    process.stdout.write(
      `Console at ${site.origin}\n` +
        'Add this origin to http.corsOrigins of the hosts that it should manage. Press Ctrl-C to stop.\n',
    )
    await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)))
    await site.close()
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof NoConsole)) throw error
    process.stderr.write(`mynah: ${error.message}\n`)
    return /taken|may not be used|no address/.test(error.message) ? EXIT.port : EXIT.failure
  }
}
