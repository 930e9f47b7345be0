// `mynah help` and `mynah version`.
import { readFileSync } from 'node:fs'
import { EXIT } from '../exit-codes.js'

const TEXT = `mynah: a host for chat bots in which every feature is a plugin

  mynah start [--console]   start the host, supervised; with the web console beside it
  mynah dev [--console]     the same, restarting when a file changes
  mynah doctor              look for what would keep a host from starting, and say what to do
  mynah config check        read the configuration and say everything that is wrong with it
  mynah token [--show]      say where the token of the host is; with --show, print it
  mynah help | version

  -c, --config <file>       the configuration file; default mynah.config.yml in this folder

Environment: MYNAH_LOG=debug|info|warn|error   NO_COLOR=1   HTTP_TOKEN=<token>
Exit codes:  0 ok   1 failure   2 configuration   3 port taken   64 usage   130 interrupted
`

export async function help(): Promise<number> {
  process.stdout.write(TEXT)
  return EXIT.ok
}

export async function version(): Promise<number> {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
  process.stdout.write(`${manifest.version}\n`)
  return EXIT.ok
}
