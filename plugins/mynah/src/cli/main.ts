#!/usr/bin/env node
import { parseCommandLine, UsageError, type Arguments, type CommandName } from './arguments.js'
import { EXIT } from './exit-codes.js'
import { fileFailure } from './file-failure.js'
import { describeUnexpected, UserError } from './user-error.js'
import { visibleLines } from './visible.js'

type Command = (args: Arguments) => Promise<number>

const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  start: async () => (await import('./commands/start.js')).start,
  dev: async () => (await import('./commands/dev.js')).dev,
  console: async () => (await import('./commands/console.js')).serveConsole,
  status: async () => (await import('./commands/status.js')).status,
  support: async () => (await import('./commands/support.js')).support,
  load: async () => (await import('./load/load.js')).load,
  reload: async () => (await import('./commands/reload.js')).reload,
  add: async () => (await import('./commands/packages.js')).add,
  remove: async () => (await import('./commands/packages.js')).remove,
  update: async () => (await import('./commands/packages.js')).update,
  rollback: async () => (await import('./commands/packages.js')).rollback,
  packages: async () => (await import('./commands/packages.js')).list,
  'publish-check': async () => (await import('./commands/publish-check.js')).publishCheck,
  backup: async () => (await import('./commands/backup.js')).backup,
  restore: async () => (await import('./commands/restore.js')).restore,
  setup: async () => (await import('./commands/setup.js')).setup,
  'endpoint add': async () => (await import('./commands/setup.js')).addEndpoint,
  new: async () => (await import('./commands/new.js')).create,
  doctor: async () => (await import('./commands/doctor.js')).doctor,
  'config check': async () => (await import('./commands/config-check.js')).configCheck,
  'config push': async () => (await import('./commands/config-push.js')).configPush,
  token: async () => (await import('./commands/token.js')).token,
  help: async () => (await import('./commands/help.js')).help,
  version: async () => (await import('./commands/help.js')).version,
}

async function main(): Promise<number> {
  try {
    const { command, args } = parseCommandLine(process.argv.slice(2))
    return await (
      await commands[command]()
    )(args)
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`mynah: ${error.message}\nSee: mynah help\n`)
      return EXIT.usage
    }
    const verbose = process.argv.includes('--verbose')
    const failure = error instanceof UserError ? error : fileFailure(error)
    if (failure) {
      const lines = [
        `mynah: ${failure.message}`,
        ...(failure.remedy ? [`    ${failure.remedy}`] : []),
        ...(verbose && failure !== error ? [describeUnexpected(error, true)] : []),
      ]
      process.stderr.write(visibleLines(`${lines.join('\n')}\n`))
      return failure.exitCode
    }
    process.stderr.write(visibleLines(`mynah: ${describeUnexpected(error, verbose)}\n`))
    return EXIT.failure
  }
}

// The reader of the output may end first, as in "mynah doctor | head". The command ends in its own time.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

process.exitCode = await main()
