import { readFileSync } from 'node:fs'
import { EXIT } from '../exit-codes.js'

const TEXT = `mynah: a host for chat bots in which every feature is a plugin

  mynah new [bot|plugin|adapter] <folder>
                            create a project, install and check it
  mynah setup               add a platform and a model, each tested before it is saved
  mynah setup platform <name> [option=value …]
  mynah setup model <family> [option=value …]
                            the same without questions
  mynah start [--console[=port]]
                            start the host under a supervisor, optionally with the web console
  mynah dev [--console[=port]]
                            same as start, but restart when a file changes
  mynah console [--port=n] [--host=address]
                            serve only the web console
  mynah reload              make the running host read its configuration and tokens again
  mynah status [--json]     show how the running host is, and the hosts that share its database
  mynah backup [folder]     copy all files of this host, consistently while it runs
  mynah restore <folder>    restore a backup; --database: its rows into an empty database
  mynah doctor [--json]     find problems of the installation and show how to fix them
  mynah config check        show all mistakes of the configuration
  mynah token [--show]      show where the token of the host is; with --show, print it
  mynah help | version

  -c, --config <file>       configuration file; default mynah.config.yml in this folder
  --verbose                 show errors with their stacks

Environment: MYNAH_LOG=debug|info|warn|error   NO_COLOR=1   HTTP_TOKEN=<token>
Exit codes:  0 ok   1 failure   2 configuration   3 port in use   64 usage   130 interrupted
`

export async function help(): Promise<number> {
  process.stdout.write(TEXT)
  return EXIT.ok
}

/** Returns the version of this package. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version
}

export async function version(): Promise<number> {
  process.stdout.write(`${ownVersion()}\n`)
  return EXIT.ok
}
