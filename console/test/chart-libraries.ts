// The libraries of the example with charts, which only its own folder installs.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { consoleRoot } from './site.js'

const cache = join(consoleRoot, '../.cache')

export const chartExample = join(consoleRoot, '../examples/plugin-with-charts/client')

/** Installs the packages of the example, unless they are installed. */
export async function installChartLibraries(): Promise<void> {
  const packages = join(chartExample, 'node_modules')
  if (existsSync(packages)) return
  await mkdir(cache, { recursive: true })
  const work = await mkdtemp(join(cache, 'charts-'))
  try {
    for (const file of ['package.json', 'package-lock.json']) await copyFile(join(chartExample, file), join(work, file))
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: work })
    // The folder appears at once: another test file, in a process of its own, may install the same packages.
    await rename(join(work, 'node_modules'), packages)
  } catch (error) {
    if (!existsSync(packages)) throw error
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
