// Implements `npm create mynah` and `mynah new`.
import { resolve } from 'node:path'
import { answersFrom, USAGE } from './answers.js'
import { EXIT, UsageError } from './usage-error.js'
import { install, start, type Installed } from './install.js'
import { nextSteps } from './next-steps.js'
import { writeProject } from './project.js'

export type { Answers, Kind } from './answers.js'
export type { Model } from './models.js'
export { PLATFORMS, type Platform } from './platforms.js'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Writes and installs a project as the arguments say. Resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  let isStopped = false
  // On Ctrl-C the current step ends, so that no file is half written, and the next steps are printed.
  const stop = (): void => {
    isStopped = true
  }
  try {
    if (argv.includes('--help') || argv.includes('-h')) {
      process.stdout.write(USAGE)
      return EXIT.ok
    }
    const answers = await answersFrom(argv)
    for (const signal of SIGNALS) process.on(signal, stop)
    const files = await writeProject(answers)
    process.stdout.write(`\nwrote ${files.length} files into ${answers.folder}\n`)
    const folder = resolve(answers.folder)
    const installed = answers.install ? await installUnlessStopped(folder, () => isStopped) : undefined
    process.stdout.write(nextSteps(answers, installed))
    if (installed === 'failed') return EXIT.failed
    if (isStopped) return EXIT.stopped
    return answers.start ? await start(folder) : EXIT.ok
  } catch (error) {
    if (!(error instanceof UsageError)) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error))
      process.stderr.write(
        argv.includes('--verbose') ? `${stack}\n` : `create-mynah: ${message}\nMore with --verbose.\n`,
      )
      return EXIT.failed
    }
    process.stderr.write(`${error.message}\n`)
    return error.exitCode
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

async function installUnlessStopped(folder: string, isStopped: () => boolean): Promise<Installed> {
  return isStopped() ? 'stopped' : install(folder, isStopped)
}
