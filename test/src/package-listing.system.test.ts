// A host that was killed after packages were swapped, before its configuration listed them: the next start lists them.
import { expect } from 'chai'
import { freePort, until } from '@mynah/kernel/testing'
import { Bench, type Running } from '../../plugins/mynah/dist/test/cli.js'
import { PackageProject, pluginVersion } from '../../plugins/mynah/dist/test/package-project.js'

const ROW = { action: 'add', packages: ['mynah-plugin-late@1.0.0'], of: 1, listing: true, by: 'owner', at: 1 }
const LISTED = /name: late\s+enabled: false|name: late, enabled: false/

describe('plugins whose installation was cut off', function () {
  this.timeout(240_000)
  let project: PackageProject
  let running: Running | undefined
  beforeEach(async () => {
    project = await PackageProject.create({ installed: [pluginVersion('mynah-plugin-late', '1.0.0')] })
  })
  afterEach(async () => {
    await running?.end()
    await project.remove()
  })

  /** Starts a host with rows of runs as a kill has left them. */
  async function start(rows: readonly object[]): Promise<void> {
    await project.write(
      'mynah.config.yml',
      `plugins: [http-core, console-rpc, events, marketplace, workspace]\nhttp: { port: ${await freePort()} }\n`,
    )
    await project.write('data/packages/runs.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    running = Bench.at(project.folder).start('start')
    await running.shows(/plugins are up/)
  }
  const lastRow = async (): Promise<unknown> =>
    JSON.parse((await project.read('data/packages/runs.jsonl')).trim().split('\n').at(-1) as string)

  it('are listed, off, at the next start, and once', async () => {
    await start([{ ...ROW, runId: 'cut', state: 'swapping' }])
    await until(
      async () => LISTED.test(await project.read('mynah.config.yml')),
      () => 'the entry of the plugin',
    )
    await until(
      async () => JSON.stringify(await lastRow()) === JSON.stringify({ runId: 'cut', listing: false }),
      () => 'a line that says so',
    )
  })

  it('are not listed where the installation failed or the command line made it', async () => {
    const { listing: _, ...plain } = ROW
    await start([
      { ...ROW, runId: 'failed', state: 'failed', packages: ['mynah-plugin-failed@1.0.0'] },
      { ...plain, runId: 'plain', state: 'done', packages: ['mynah-plugin-plain@1.0.0'] },
      // The entry of the last one shows that the others were looked at.
      { ...ROW, runId: 'cut', state: 'done' },
    ])
    await until(
      async () => LISTED.test(await project.read('mynah.config.yml')),
      () => 'the entry of the plugin',
    )
    expect(await project.read('mynah.config.yml')).not.to.match(/failed|plain/)
  })
})
