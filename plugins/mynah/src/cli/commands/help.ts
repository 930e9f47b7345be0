// `mynah help` and `mynah version`.
import { readFileSync } from 'node:fs'
import { EXIT } from '../exit-codes.js'

const TEXT = `mynah: a host for chat bots in which every feature is a plugin

  mynah new [bot|plugin|adapter] <folder>
                            write a project to start from, install and check it
  mynah start [--console[=port]]
                            start the host, supervised; with the web console beside it
  mynah dev [--console[=port]]
                            the same, restarting when a file changes
  mynah console [--port=n] [--host=address]
                            serve the web console alone
  mynah reload              let the running host read its configuration and tokens again
  mynah backup [folder]     copy what makes this host, consistent while it runs
  mynah restore <folder>    put a backup back
  mynah doctor [--json]     look for what is wrong or would be, and say what to do
  mynah config check        read the configuration and say everything that is wrong with it
  mynah token [--show]      say where the token of the host is; with --show, print it
  mynah help | version

  -c, --config <file>       the configuration file; default mynah.config.yml in this folder
  --verbose                 tell failures with their stacks

Environment: MYNAH_LOG=debug|info|warn|error   NO_COLOR=1   HTTP_TOKEN=<token>
Exit codes:  0 ok   1 failure   2 configuration   3 port taken   64 usage   130 interrupted
`

export async function help(): Promise<number> {
  process.stdout.write(TEXT)
  return EXIT.ok
}

/** The version of this package. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version
}

export async function version(): Promise<number> {
  process.stdout.write(`${ownVersion()}\n`)
  return EXIT.ok
}
