// The libraries of the example with charts, which only its own folder installs.
import { channel } from 'node:diagnostics_channel'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { consoleRoot } from './site.js'

interface OnDemand {
  installInto(target: string, source: string, name: string, part: string): Promise<void>
}

export const chartExample = join(consoleRoot, '../examples/plugin-with-charts/client')

/** Installs the packages of the example, unless they are installed. */
export async function installChartLibraries(): Promise<void> {
  // Tells tools/suites.mjs that the test file may start npm, also where the packages are there.
  channel('mynah:test-uses').publish('npm for charts')
  const packages = join(chartExample, 'node_modules')
  if (existsSync(packages)) return
  const { installInto } = (await import(`${consoleRoot}../tools/on-demand.mjs`)) as OnDemand
  await installInto(packages, chartExample, 'charts', 'node_modules')
}
