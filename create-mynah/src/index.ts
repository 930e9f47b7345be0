// Writes a project to start from: what `npm create mynah` and `mynah new` do.
import { resolve } from 'node:path'
import { answersFrom, USAGE } from './answers.js'
import { Refused } from './refused.js'
import { install, start } from './install.js'
import { lastWords } from './last-words.js'
import { writeProject } from './project.js'

export type { Answers, Kind, Platform } from './answers.js'

const [OK, FAILED, WRONG] = [0, 1, 64]

/** Runs with the words of a command line; resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    if (argv.includes('--help') || argv.includes('-h')) {
      process.stdout.write(USAGE)
      return OK
    }
    const answers = await answersFrom(argv)
    const files = await writeProject(answers)
    process.stdout.write(`\nwrote ${files.length} files into ${answers.folder}\n`)
    const installed = answers.install ? await install(resolve(answers.folder)) : undefined
    process.stdout.write(lastWords(answers, installed))
    if (installed === false) return FAILED
    return answers.start ? await start(resolve(answers.folder)) : OK
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    process.stderr.write(`${error.message}\n`)
    return error.isUsage ? WRONG : FAILED
  }
}
