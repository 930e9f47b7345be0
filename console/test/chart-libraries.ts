// The libraries of the example with charts, which only its own folder installs.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { consoleRoot } from './site.js'

export const chartExample = join(consoleRoot, '../examples/plugin-with-charts/client')

/** Installs the packages of the example, unless they are installed. */
export async function installChartLibraries(): Promise<void> {
  if (!existsSync(join(chartExample, 'node_modules'))) await promisify(execFile)('npm', ['ci'], { cwd: chartExample })
}
