// The page of hosts that share a database: what it offers, asks before, and says where it knows nothing.
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { until } from '@mynah/kernel/testing'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy, type Answer } from './stand-in.js'

const hostRow = (name: string, given: object = {}) => ({
  id: `id-${name}`,
  name,
  state: 'live',
  version: '0.1.0',
  startedAt: 0,
  places: [],
  drains: false,
  self: false,
  ...given,
})
const house = {
  id: 'house',
  owner: { id: 'id-one', name: 'one' },
  since: 0,
  wanted: null,
  falls: 0,
  restsUntil: null,
}
const one = hostRow('one', { places: ['house'], self: true })

describe('the page of hosts', function () {
  this.timeout(240_000)
  const bench = useBench()
  const answer = (hosts: readonly object[], places: readonly object[], more: Record<string, Answer> = {}): void => {
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'cluster:hosts': { data: { hosts } },
      'cluster:places': { data: { places } },
      ...more,
    }
  }
  const live = (page: Page): Promise<void> => page.getByText('Live', { exact: true }).waitFor()

  for (const { locale, colorScheme, move, confirm, moved } of [
    { locale: 'en', colorScheme: 'light', move: 'Move house…', confirm: 'Move', moved: 'house goes to two' },
    { locale: 'zh-CN', colorScheme: 'dark', move: '移动 house…', confirm: '移动', moved: 'house 将移到 two' },
  ] as const)
    it(`moves a place by keyboard at 390 px, and is accessible (${locale}, ${colorScheme})`, async () => {
      const asked: unknown[] = []
      answer([one, hostRow('two')], [house], {
        'cluster:move': (params) => {
          asked.push([params['place'], params['host']])
          return { data: null }
        },
      })
      const { page, context, problems } = await bench.signedIn('/hosts', {
        locale,
        colorScheme,
        reducedMotion: 'reduce',
        viewport: { width: 390, height: 844 },
      })
      await page.locator('.state.ok').waitFor()
      const button = page.getByRole('button', { name: move, exact: true })
      await button.waitFor()
      await page.evaluate(await axeSource())
      expect(await findings(page)).to.deep.equal([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).to.equal(true)
      expect(
        await page.evaluate(() =>
          [...document.querySelectorAll('.cluster-hosts, .cluster-places')].every(
            ({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth,
          ),
        ),
        'no table is cut',
      ).to.equal(true)
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      expect(await findings(page)).to.deep.equal([])
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal(confirm)
      await page.keyboard.press('Enter')
      await page.getByText(moved).waitFor()
      expect(asked).to.deep.equal([['house', 'id-two']])
      expect(problems).to.deep.equal([])
      await context.close()
    })

  it('says what each choice of a move does', async () => {
    answer([one, hostRow('two')], [{ ...house, wanted: 'id-one' }])
    const { page, context } = await bench.signedIn('/hosts')
    await live(page)
    await page.getByRole('row', { name: /house.*kept by one/ }).waitFor()
    await page.getByRole('button', { name: 'Move house…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('one starts again within seconds, and two takes it').waitFor()
    await dialog.getByText('The console is connected to one').waitFor()
    await dialog.getByLabel('To').selectOption('one, which has it')
    await dialog.getByText('It stays at one').waitFor()
    expect(await dialog.getByText('The console is connected to one').count()).to.equal(0)
    await dialog.getByLabel('To').selectOption('anywhere')
    await dialog.getByText('No host is preferred any more').waitFor()
    await context.close()
  })

  it('offers nothing that cannot work, and says the reason', async () => {
    answer([one, hostRow('old', { state: 'dead' })], [house])
    const { page, context } = await bench.signedIn('/hosts')
    await live(page)
    for (const name of ['Move house…', 'Drain one…']) {
      const button = page.getByRole('button', { name })
      expect(await button.getAttribute('aria-disabled')).to.equal('true')
      expect(await button.getAttribute('title')).to.match(/No other live host takes places/)
    }
    await page.getByText('No other live host takes places').waitFor()
    expect(await page.getByRole('row', { name: /old/ }).getByRole('button').count(), 'a dead host').to.equal(0)
    await context.close()
  })

  it('lets a host take places again', async () => {
    const asked: unknown[] = []
    answer([one, hostRow('two', { drains: true })], [house], {
      'cluster:drain': (params) => {
        asked.push([params['host'], params['drains']])
        return { data: null }
      },
    })
    const { page, context } = await bench.signedIn('/hosts')
    await live(page)
    await page.getByRole('row', { name: /two.*takes no places/ }).waitFor()
    await page.getByRole('button', { name: 'Take places again: two…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Take places again', exact: true }).click()
    await page.getByText('two takes places again').waitFor()
    expect(asked).to.deep.equal([['id-two', false]])
    await context.close()
  })

  for (const colorScheme of ['light', 'dark'] as const)
    it(`says that a host cannot run the configuration of the others (${colorScheme})`, async () => {
      const problem = 'cannot run revision 8 of one: there is no plugin "weather"'
      answer([{ ...one, revision: 8 }, hostRow('two', { revision: 7, revisionProblem: problem })], [house])
      const { page, context } = await bench.signedIn('/hosts', { colorScheme, reducedMotion: 'reduce' })
      await live(page)
      await page.getByRole('row', { name: /one .*configuration 8/ }).waitFor()
      await page.getByRole('row', { name: /two .*takes no places .*configuration 7/ }).waitFor()
      await page.getByText(`takes no places: ${problem}`).waitFor()
      expect(await page.getByText('No other live host takes places').count(), 'nothing can move there').to.equal(1)
      await page.evaluate(await axeSource())
      expect(await findings(page)).to.deep.equal([])
      await context.close()
    })

  it('says why a place rests, and follows changes without a click', async () => {
    answer([one], [{ ...house, owner: null, falls: 3, restsUntil: Date.now() + 60_000 }])
    const { page, context } = await bench.signedIn('/hosts')
    await page.getByText(/Rests until .*, since 3 hosts in a row died with it/).waitFor()
    answer([one, hostRow('two')], [{ ...house, falls: 3 }])
    await page.getByRole('row', { name: /two/ }).waitFor()
    await page.getByText('3 hosts died with it in the last minutes').waitFor()
    await context.close()
  })

  it('says that the database does not answer, and how old the tables are', async () => {
    const away: Answer = {
      status: 400,
      error: 'The database does not answer (ECONNREFUSED), so nothing is known of the hosts now',
      code: 'upstream_unavailable',
    }
    answer([one], [house], { 'cluster:hosts': away })
    const { page, context } = await bench.signedIn('/hosts')
    await page.getByText('The database does not answer').waitFor()
    expect(await page.locator('.cluster-hosts').count(), 'nothing was known before').to.equal(0)
    answer([one], [house])
    await page.locator('.cluster-hosts').waitFor()
    answer([one], [house], { 'cluster:hosts': away })
    await page.getByText(/As it was at \d\d:\d\d:\d\d/).waitFor()
    expect(await page.locator('.cluster-hosts').count(), 'kept').to.equal(1)
    answer([one], [house])
    await until(async () => (await page.getByText(/As it was at/).count()) === 0)
    await context.close()
  })

  it('quotes a refusal, and keeps the dialog', async () => {
    answer([one, hostRow('two')], [house], {
      'cluster:move': { status: 400, error: 'There is no live host "id-two"', code: 'not_found' },
    })
    const { page, context } = await bench.signedIn('/hosts')
    await live(page)
    await page.getByRole('button', { name: 'Move house…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await dialog.getByRole('alert').getByText('There is no live host "id-two"').waitFor()
    await context.close()
  })

  it('is in the rail only where hosts share a database', async () => {
    answer([one], [house])
    const { page, context } = await bench.signedIn('/dashboard')
    const links = page.locator('.rail').getByRole('link', { name: 'Hosts' })
    await links.waitFor()
    await context.close()
    // A host that lists its methods, of which none is of a cluster.
    const item = {
      name: 'core',
      status: 'active',
      description: '',
      features: [{ name: 'methods', count: 1, items: [{ name: 'ping' }] }],
    }
    bench.host.answers = { ...healthy(), 'GET /plugins': { data: [item] } }
    const other = await bench.signedIn('/dashboard')
    await live(other.page)
    await other.page.locator('.rail').getByRole('link', { name: 'Plugins' }).waitFor()
    expect(await other.page.locator('.rail').getByRole('link', { name: 'Hosts' }).count()).to.equal(0)
    await other.context.close()
  })

  it('shows the packages in which live hosts differ, and nothing where they are the same', async () => {
    const packages = { 'mynah-plugin-dice': '1.0.0', 'mynah-plugin-same': '2.0.0' }
    const same = hostRow('two', { packages })
    const dead = hostRow('three', { state: 'dead', packages: { 'mynah-plugin-dice': '9.0.0' } })
    answer([{ ...one, packages }, same, dead, hostRow('four')], [house])
    const { page, context, problems } = await bench.signedIn('/hosts', { viewport: { width: 390, height: 844 } })
    await page.getByRole('table', { name: 'Places' }).waitFor()
    expect(await page.getByText('Packages that differ').count()).to.equal(0)
    const other = hostRow('two', { packages: { 'mynah-plugin-same': '2.0.0', 'mynah-plugin-new': '0.1.0' } })
    answer([{ ...one, packages: { ...packages, 'mynah-plugin-new': '0.2.0' } }, other, dead], [house])
    const table = page.getByRole('table', { name: 'Packages that differ' })
    await table.waitFor()
    const rows = await table.locator('tbody tr').allInnerTexts()
    expect(rows.map((row) => row.split(/\s*[\n\t]\s*/))).to.deep.equal([
      ['mynah-plugin-dice', 'one: 1.0.0', 'two: not used there'],
      ['mynah-plugin-new', 'one: 0.2.0', 'two: 0.1.0'],
    ])
    await page.evaluate(await axeSource())
    expect(await findings(page)).to.deep.equal([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).to.equal(true)
    expect(problems).to.deep.equal([])
    await context.close()
  })
})
