// The page of hosts against two hosts that share a database.
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { until } from '@mynah/kernel/testing'
import { useBench } from '../../console/test/dist/test/bench.js'
import { signedIn } from '../../console/test/dist/test/signed-in.js'
import { startPostgres, needPostgres, type TestServer } from '../../plugins/database/dist/testing/postgres-server.js'
import { startBoth, TOKEN, type ClusterHost } from './cluster-host.js'

describe('the page of two hosts that share a database', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  const hosts: ClusterHost[] = []
  let server: TestServer
  let url: string

  before(async function () {
    await needPostgres(this)
    server = await startPostgres()
    url = await server.create()
    // The longest work that a busy machine may take is not taken for a death.
    await startBoth(url, hosts, { lease: '10s', console: bench.site.url })
  })
  after(async () => {
    for (const host of hosts) await host.remove()
    if (url) await server.drop(url)
  })

  const open = (at: ClusterHost) => signedIn(bench.browser, bench.site, { url: at.base, token: TOKEN }, '/hosts')
  const hostOf = (page: Page, name: string) =>
    page.locator('.cluster-hosts').getByRole('row', { name: new RegExp(`^${name} `) })
  const houseAt = (page: Page, name: string): Promise<void> =>
    page
      .locator('.cluster-places')
      .getByRole('row', { name: new RegExp(`^house .*\\b${name}\\b`) })
      .waitFor()
  const settled = async (page: Page, owner: string): Promise<void> => {
    await houseAt(page, owner)
    for (const { name } of hosts) await hostOf(page, name).getByText('live', { exact: true }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
  }

  it('shows both on each, and marks the one that answers', async () => {
    for (const host of hosts) {
      const { page, context } = await open(host)
      await settled(page, 'one')
      await hostOf(page, host.name).getByText('this host').waitFor()
      expect(await page.getByText('this host').count()).to.equal(1)
      await page.locator('.rail').getByRole('link', { name: 'Hosts' }).waitFor()
      await context.close()
    }
  })

  it('moves the work away from the host that it is connected to, and goes on working', async () => {
    const [one, two] = hosts as [ClusterHost, ClusterHost]
    const { page, context } = await open(one)
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await settled(page, 'one')
    await page.getByRole('button', { name: 'Move house…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The console is connected to one').waitFor()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText('house goes to two').waitFor()
    await until(() => two.answers())
    await settled(page, 'two')
    // The endpoint stays at the host that has it.
    await until(async () => !(await hostOf(page, 'one').innerText()).includes('house'))
    await page.locator('.cluster-places').getByText('kept by two').waitFor()
    // The host that has begun again still makes changes.
    await page.getByRole('button', { name: 'Move house…' }).click()
    await dialog.getByLabel('To').selectOption('anywhere')
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText('house may go anywhere').waitFor()
    await until(async () => (await page.getByText('kept by two').count()) === 0)
    expect(errors).to.deep.equal([])
    await context.close()
  })

  it('drains the host that has what belongs to no endpoint', async () => {
    const [one] = hosts as [ClusterHost, ClusterHost]
    const { page, context } = await open(one)
    await settled(page, 'two')
    await page.getByRole('button', { name: 'Drain two…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('two has what belongs to no endpoint').waitFor()
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click()
    await until(() => one.answers())
    await settled(page, 'one')
    expect(await page.getByText('takes no places').count(), 'its start has ended that').to.equal(0)
    await context.close()
  })

  it('shows that a host has died', async () => {
    const [one, two] = hosts as [ClusterHost, ClusterHost]
    const { page, context } = await open(one)
    await settled(page, 'one')
    await two.kill()
    await hostOf(page, 'two').getByText('dead', { exact: true }).waitFor()
    await page.getByText('No other live host takes places').waitFor()
    two.restart()
    await settled(page, 'one')
    await context.close()
  })

  it('says that the database is unavailable, and goes on when it is back', async function () {
    if (!server.own) return this.skip()
    const { page, context } = await open(hosts[0] as ClusterHost)
    await settled(page, 'one')
    await server.own.stop()
    try {
      await page.getByText(/As it was at/).waitFor()
      await page
        .locator('.notice')
        .getByText(/The database does not answer/)
        .waitFor()
    } finally {
      await server.own.start()
    }
    await until(async () => (await page.getByText(/As it was at/).count()) === 0)
    await page.locator('.cluster-places').getByRole('row', { name: /house/ }).waitFor()
    await context.close()
  })
})
