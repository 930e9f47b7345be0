import { readFileSync } from 'node:fs'
import { EXIT } from '../exit-codes.js'

const TEXT = `mynah: a host for chat bots in which every feature is a plugin

  mynah new [bot|plugin|adapter] <folder>
                            create a project, install and check it
  mynah setup               add a platform and a model, each tested before it is saved
  mynah setup platform <name> [option=value …]
  mynah setup model <family> [option=value …]
                            the same without questions
  mynah endpoint add [<platform>] [option=value …]
                            add an account on a platform: what it needs, where to find it, a test of it
  mynah start [--console[=port]]
                            start the host under a supervisor, optionally with the web console
  mynah dev [--console[=port]] [--open]
                            same as start, but load changed code, check types and build pages
                            --open: open the console on the page of your plugin
  mynah console [--port=n] [--host=address]
                            serve only the web console
  mynah reload              make the running host read its configuration and tokens again
  mynah status [--json]     show how the running host is, and the hosts that share its database
  mynah add <package[@range]>…
                            show what it would install, then install it, also while the host runs
  mynah update [package]…   the same for newer versions; without a name, for all plugins
  mynah remove <package>…   remove packages
  mynah rollback            put the packages of before the last change back
  mynah packages [--json]   show the installed plugins and the last changes
                            --yes: do not ask; --allow-script=name@version,…: install scripts that may run
  mynah publish-check [--json] [--write]
                            check the plugin in this folder before it is published: pack, load and run it
                            --write: note in package.json what it adds to a host
  mynah backup [folder]     copy all files of this host, consistently while it runs
  mynah restore <folder>    restore a backup; --database: its rows into an empty database
  mynah doctor [--json]     find problems of the installation and show how to fix them
  mynah support [--yes] [--json] [--output=file]
                            make one file for a bug report, without secrets and texts of people, and show it
                            before it is written
  mynah load --messages=100/s [--seconds=30] [--endpoint=id] [--text=/help] [--url=address]
                            send messages to the sandbox of a host, and show rate, latency, errors and losses
  mynah config check        show all mistakes of the configuration
  mynah config push         show what the configuration file changes on all hosts, then change it
  mynah token [--show]      show where the token of the host is; with --show, print it
  mynah help | version

  -c, --config <file>       configuration file; default mynah.config.yml in this folder
  --verbose                 show errors with their stacks

Environment: MYNAH_LOG=debug|info|warn|error   NO_COLOR=1   HTTP_TOKEN=<token>
Exit codes:  0 ok   1 failure   2 configuration   3 port in use   4 refused   64 usage   130 interrupted
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
