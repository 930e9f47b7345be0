// Checks that no test compares a measured time: a busy machine would fail it. Tests count instead, use an input on
// which the bad form takes hours, or leave it to bench/.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSource } from './check-arrows.mjs'
import { filesIn, workspaces } from './lib.mjs'

const TEST = /\.test\.([mc]?[jt]sx?)$/
const MEASURES = /performance\.now|cpuUsage|hrtime|PerformanceObserver|Date\.now\(\) -/

/** Returns the places where a test measures time, one line each. */
export function measuredTimeFaults(from) {
  return [...workspaces(from), 'deploy', 'sim', 'test', 'tools']
    .flatMap((folder) =>
      filesIn(join(from, folder), (file) => TEST.test(file) && isSource(file)).map((file) => `${folder}/${file}`),
    )
    .flatMap((file) =>
      readFileSync(join(from, file), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          MEASURES.test(line)
            ? [`${file}:${index + 1} measures time; count something instead, or add it to bench/`]
            : [],
        ),
    )
}
