// Installs packages from the console: a real host and the real npm, with a registry of this machine.
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { freePort, until } from '@mynah/kernel/testing'
import { useBench } from '../../console/test/dist/test/bench.js'
import { signedIn } from '../../console/test/dist/test/signed-in.js'
import { Bench, type Running } from '../../plugins/mynah/dist/test/cli.js'
import { PackageProject, pluginVersion } from '../../plugins/mynah/dist/test/package-project.js'

const TOKEN = 'full-token-of-the-package-walk'

describe('installing packages from the console', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let project: PackageProject
  let running: Running
  let url = ''

  before(async () => {
    project = await PackageProject.create({ installed: [pluginVersion('mynah-plugin-kept', '1.0.0')] })
    bench.atEnd(() => project.remove())
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    await project.write(
      'mynah.config.yml',
      [
        'plugins: [http-core, console-rpc, events, entries, management, marketplace, workspace, kept]',
        `http: { port: ${port}, token: "${TOKEN}", corsOrigins: ["${bench.site.url}"] }`,
        `marketplace: { registry: "${project.registry.url}" }\n`,
      ].join('\n'),
    )
    const cli = Bench.at(project.folder)
    running = cli.start('start')
    bench.atEnd(() => running.end())
    await running.shows(/plugins are up/)
    const { registry } = project
    registry.publish(pluginVersion('mynah-plugin-built', '1.0.0', { scripts: { install: 'node -e 0' } }))
    registry.publish(pluginVersion('mynah-plugin-late', '1.0.0', { peerDependencies: { mynah: '^7.0.0' } }))
    registry.publish(pluginVersion('mynah-plugin-lost', '1.0.0'))
    for (const name of ['one', 'two']) registry.publish(pluginVersion(`mynah-plugin-${name}`, '1.0.0'))
    registry.publish({
      ...pluginVersion('mynah-plugin-broken', '1.0.0'),
      files: { 'index.js': "export default { name: 'broken', setup() { throw new Error('it has no key') } }\n" },
    })
  })

  const open = (name: string) =>
    signedIn(bench.browser, bench.site, { url, token: TOKEN }, `/marketplace/mynah-plugin-${name}`)
  const dialogOf = (page: Page) => page.getByRole('dialog')
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const inDialog = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true })
  /** Opens the plan of an installation. */
  const plan = async (page: Page): Promise<void> => {
    await button(page, 'Install').click()
    await dialogOf(page)
      .getByText(/package.? change/)
      .waitFor({ timeout: 60_000 })
  }
  const install = async (page: Page): Promise<void> => {
    await plan(page)
    await inDialog(page, 'Install').click()
  }
  const text = (page: Page, words: string | RegExp): Promise<void> =>
    dialogOf(page).getByText(words).first().waitFor({ timeout: 60_000 })

  it('installs a good one, which runs once it is enabled', async () => {
    const { page, context } = await open('dice')
    await install(page)
    await text(page, 'Done')
    expect(running.out).not.to.contain('mynah-plugin-dice runs')
    await until(
      async () => (await project.read('mynah.config.yml')).includes('enabled: false'),
      () => 'the entry of the plugin',
    )
    await inDialog(page, 'Enable').click()
    await page.waitForURL('**/plugins/dice')
    await running.shows(/"name":"dice","message":"runs 1\.0\.0"|dice.*runs 1\.0\.0/)
    await page.getByText('1.0.0').first().waitFor()
    await context.close()
  })

  it('asks for the script of one that has one', async () => {
    const { page, context } = await open('built')
    await plan(page)
    expect(await inDialog(page, 'Install').isDisabled()).to.equal(true)
    await dialogOf(page).getByLabel('Run the script of mynah-plugin-built@1.0.0').check()
    await inDialog(page, 'Install').click()
    await text(page, 'Done')
    await context.close()
  })

  it('says why one does not fit the host', async () => {
    const { page, context } = await open('late')
    await button(page, 'Install').click()
    await text(page, 'This cannot be done')
    expect(await inDialog(page, 'Install').isDisabled()).to.equal(true)
    await context.close()
  })

  it('leaves everything as it is when the registry dies', async () => {
    const before = await project.read('package.json')
    const { page, context } = await open('lost')
    await plan(page)
    project.registry.isDown = true
    await inDialog(page, 'Install').click()
    await text(page, 'It failed. The packages are those of before.')
    await text(page, /the registry does not answer/)
    project.registry.isDown = false
    expect(await project.read('package.json')).to.equal(before)
    await context.close()
  })

  it('says why one does not start, and puts the packages of before back', async () => {
    const { page, context } = await open('broken')
    await install(page)
    await text(page, 'Done')
    await inDialog(page, 'Enable').click()
    await page.waitForURL('**/plugins/broken')
    await page.getByText('it has no key').first().waitFor()
    await button(page, 'Roll back').waitFor()
    await page.goto(`${bench.site.url}/marketplace/mynah-plugin-broken`)
    await button(page, 'Roll back').click()
    await text(page, 'mynah-plugin-broken 1.0.0 is removed')
    await inDialog(page, 'Roll back').click()
    await until(
      async () => (await project.version('mynah-plugin-broken')) === undefined,
      () => 'the end of the package',
    )
    await running.shows(/plugins are up/, 2)
    await context.close()
  })

  it('updates and removes one', async () => {
    project.registry.publish(pluginVersion('mynah-plugin-kept', '1.1.0'))
    const { page, context } = await open('kept')
    await button(page, 'Update').click()
    await text(page, 'mynah-plugin-kept 1.0.0 becomes 1.1.0')
    await inDialog(page, 'Update').click()
    await running.shows(/"name":"kept","message":"runs 1\.1\.0"|kept.*runs 1\.1\.0/)
    await text(page, 'Done')
    await inDialog(page, 'Close').last().click()
    await button(page, 'Remove').click()
    await text(page, 'mynah-plugin-kept 1.1.0 is removed')
    await inDialog(page, 'Remove').click()
    await text(page, 'Done')
    expect(await project.version('mynah-plugin-kept')).to.equal(undefined)
    await until(
      async () => !(await project.read('mynah.config.yml')).includes('kept'),
      () => 'the configuration without its entry',
    )
    await context.close()
  })

  it('lets one of two people through, and the other one plans again', async () => {
    const people = [await open('one'), await open('two')]
    for (const { page } of people) await plan(page)
    for (const { page } of people) await inDialog(page, 'Install').click()
    const ends = await Promise.all(
      people.map(async ({ page }) => {
        await text(page, /^(?:Done|Refused\. .*)$/)
        return dialogOf(page).innerText()
      }),
    )
    expect(ends.filter((end) => end.includes('Done'))).to.have.length(1)
    expect(ends.find((end) => end.includes('Refused'))).to.contain('has changed meanwhile')
    for (const { context } of people) await context.close()
  })
})
