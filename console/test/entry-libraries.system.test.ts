import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entryPreset } from '@mynah/console/entry-preset'
import type { ConsoleEntry } from '@mynah/contract/types'
import { expect } from 'chai'
import { build, mergeConfig } from 'vite'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { chartExample, installChartLibraries } from './chart-libraries.js'
import { consoleRoot } from './site.js'

const entry = (id: string, meta: Partial<ConsoleEntry['meta']> = {}): ConsoleEntry => ({
  id,
  resolvedModule: `/@dev/${id}/client/index.js?v=1`,
  order: 10,
  enabled: true,
  meta: { name: id, version: '1.0.0', ...meta },
})

describe('libraries in entries', function () {
  this.timeout(240_000)
  let modules: string
  let page: string
  before(async () => {
    modules = await mkdtemp(join(tmpdir(), 'mynah-libraries-'))
    page = await mkdtemp(join(tmpdir(), 'mynah-libraries-page-'))
    await installChartLibraries()
    const { default: charts } = (await import(join(chartExample, 'vite.config.js'))) as { default: object }
    await build({
      ...mergeConfig(charts, { build: { outDir: join(modules, 'charts/client') } }),
      configFile: false,
      logLevel: 'silent',
    })
    const { onDemand } = (await import(`${consoleRoot}../tools/on-demand.mjs`)) as {
      onDemand(set: string): Promise<string>
    }
    // Built next to its libraries, which are installed for this test alone.
    await cp(join(consoleRoot, 'test/fixtures/libraries'), page, { recursive: true })
    await symlink(join(await onDemand('entry-libraries'), 'node_modules'), join(page, 'node_modules'), 'junction')
    await build({
      ...entryPreset({ root: page, entry: 'index.tsx', outDir: join(modules, 'libraries/client') }),
      configFile: false,
      logLevel: 'silent',
    })
  })
  const bench = useBench({ host: 'shared', modules: () => modules })
  after(async () => {
    for (const folder of [modules, page]) await rm(folder, { recursive: true })
  })

  it('leave no require() in the bundle', async () => {
    for (const id of ['charts', 'libraries']) {
      const code = await readFile(join(modules, id, 'client/index.js'), 'utf8')
      expect(code.match(/\brequire\(["'`][^"'`]+["'`]\)/g), id).to.equal(null)
      expect([...code.matchAll(/^import .*? from "([^"]+)";$/gm)].map((match) => match[1]))
        .to.include('react')
        .and.not.include('react-is')
    }
  })

  it('may compare symbols and inspect React', async () => {
    const root = join(modules, 'inspects')
    await mkdir(root)
    await writeFile(
      join(root, 'index.js'),
      'import * as is from "react-is"\nimport * as React from "react"\nexport const register = () => [is.isElement({}), Symbol.for("react.transitional.element"), React.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE?.H]',
    )
    await build({
      ...entryPreset({ root: consoleRoot, entry: join(root, 'index.js'), outDir: join(root, 'dist') }),
      configFile: false,
      logLevel: 'silent',
      resolve: { alias: { 'react-is': join(chartExample, 'node_modules/react-is') } },
    })
    expect(await readFile(join(root, 'dist/index.js'), 'utf8')).to.match(/from "react"/)
  })

  it('load recharts and react-select with the page of the example', async () => {
    const manifest = JSON.parse(await readFile(join(modules, 'charts/client/manifest.json'), 'utf8')) as NonNullable<
      ConsoleEntry['meta']['manifest']
    >
    bench.host.entries = [entry('charts', { manifest, plugin: 'memory-chart' })]
    const { page, context, problems } = await bench.signedIn()
    const modulesAsked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/@dev/')) modulesAsked.push(request.url())
    })
    const link = page.locator('.rail').getByRole('link', { name: 'Memory chart' })
    await link.waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(modulesAsked).to.deep.equal([])
    await link.click()
    await page.locator('.recharts-area-area').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Memory chart')
    await eventually(async () =>
      expect(await page.locator('.recharts-cartesian-axis-tick').count()).to.be.greaterThan(2),
    )
    // The library's own styles are there: without them its control would not be a row of boxes.
    await eventually(async () =>
      expect(
        await page.locator('.memory-chart__control').evaluate((element) => getComputedStyle(element).display),
      ).to.equal('flex'),
    )
    await eventually(async () =>
      expect(await page.locator('.memory-chart').evaluate((element) => getComputedStyle(element).display)).to.equal(
        'grid',
      ),
    )
    await page.getByRole('combobox', { name: 'Figure' }).press('ArrowDown')
    await page.getByRole('option', { name: 'Heap in use' }).click()
    await page.locator('.memory-chart__single-value', { hasText: 'Heap in use' }).waitFor()
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('run a Radix dialog, a table, a form and an animation', async () => {
    bench.host.entries = [entry('libraries')]
    const { page, context, problems } = await bench.signedIn('/libraries')
    await page.getByRole('heading', { name: 'Libraries' }).waitFor()
    await page.getByRole('button', { name: 'Open dialog' }).click()
    const dialog = page.getByRole('dialog', { name: 'Radix' })
    await dialog.waitFor()
    await eventually(async () =>
      expect(await dialog.evaluate((element) => element.contains(document.activeElement))).to.equal(true),
    )
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // Radix gives the focus back after the dialog has gone.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Open dialog')

    const names = () => page.locator('tbody tr td:first-child').allTextContents()
    expect(await names()).to.deep.equal(['b', 'a', 'c'])
    await page.getByRole('button', { name: 'Name' }).click()
    await page.locator('tbody tr:first-child td', { hasText: 'a' }).waitFor()
    await eventually(async () => expect(await names()).to.deep.equal(['a', 'b', 'c']))

    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('A city is needed').waitFor()
    await page.getByLabel('City').fill('Oslo')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.locator('#sent', { hasText: 'Oslo' }).waitFor()

    await page.getByRole('button', { name: 'Toggle' }).click()
    await page.waitForFunction(() => {
      const element = document.getElementById('moving')
      return element !== null && new DOMMatrix(getComputedStyle(element).transform).e === 40
    })
    await page.getByRole('button', { name: 'Toggle' }).click()
    await page.locator('#moving').waitFor({ state: 'detached' })
    expect(problems).to.deep.equal([])
    await context.close()
  })
})
