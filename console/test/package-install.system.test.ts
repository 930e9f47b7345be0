// Installing a package from its page: what is shown before anything happens, progress, and what comes then.
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

const NAME = 'mynah-plugin-matrix'
const SCRIPT = `${NAME}@0.3.1`
const run = (state: string, more: object = {}) => ({
  runId: 'run-of-packages',
  action: 'add',
  packages: [SCRIPT],
  state,
  of: 1,
  done: 0,
  by: 'owner',
  at: 1,
  ...more,
})

describe('installing a package', function () {
  this.timeout(240_000)
  const bench = useBench()
  let detail: Record<string, unknown>
  let answer: (answers: Parameters<typeof Object.assign>[1]) => void
  beforeEach(() => {
    const all = { ...healthy(), ...exampleAnswers() }
    const { installed: _, ...rest } = (all['marketplace:detail'] as { data: Record<string, unknown> }).data
    detail = rest
    answer = (answers) => {
      bench.host.answers = { ...all, 'marketplace:detail': { data: detail }, ...(answers as object) }
    }
  })

  for (const { locale, colorScheme, install, allow, enable, done } of [
    {
      locale: 'en',
      colorScheme: 'light',
      install: 'Install',
      allow: `Run the script of ${SCRIPT}`,
      enable: 'Enable',
      done: 'Done',
    },
    {
      locale: 'zh-CN',
      colorScheme: 'dark',
      install: '安装',
      allow: `运行 ${SCRIPT} 的脚本`,
      enable: '启用',
      done: '完成',
    },
  ] as const)
    it(`asks for its script and goes on to enabling, by keyboard (${locale}, ${colorScheme})`, async () => {
      const asked: unknown[] = []
      let state = 'fetching'
      answer({
        'packages:apply': ({ planId, scripts }: Record<string, unknown>) => {
          asked.push({ planId, scripts })
          return { data: { runId: 'run-of-packages' } }
        },
        'packages:runs': () => ({ data: { runs: asked.length > 0 ? [run(state)] : [], rollback: true } }),
        'config:enable': ({ plugins }: Record<string, unknown>) => {
          asked.push({ plugins })
          return { data: { success: true, reloaded: true, message: '' } }
        },
      })
      const look = { locale, colorScheme, reducedMotion: 'reduce', viewport: { width: 390, height: 844 } } as const
      const { page, context, problems } = await bench.signedIn(`/marketplace/${NAME}`, look)
      const button = page.getByRole('button', { name: install, exact: true })
      await button.waitFor()
      await page.evaluate(await axeSource())
      expect(await findings(page)).to.deep.equal([])
      await button.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('It reads too much').waitFor()
      expect(await findings(page)).to.deep.equal([])
      const go = dialog.getByRole('button', { name: install, exact: true })
      expect(await go.isDisabled(), 'before the script is allowed').to.equal(true)
      await dialog.getByLabel(allow).focus()
      await page.keyboard.press('Space')
      await go.focus()
      await page.keyboard.press('Enter')
      await dialog.locator('progress').waitFor()
      expect(await findings(page)).to.deep.equal([])
      state = 'done'
      await dialog.getByText(done, { exact: true }).waitFor()
      await dialog.getByRole('button', { name: enable, exact: true }).click()
      await page.waitForURL('**/plugins/matrix')
      expect(asked).to.deep.equal([{ planId: 'plan', scripts: [SCRIPT] }, { plugins: ['matrix'] }])
      expect(problems).to.deep.equal([])
      await context.close()
    })

  it('shows why a plan is refused, and cancels a run', async () => {
    const all = exampleAnswers() as Record<string, { data: Record<string, unknown> }>
    const plan = all['packages:plan']?.data as { changes: Record<string, unknown>[] }
    answer({ 'packages:plan': { data: { ...plan, refusals: ['needs mynah ^7'] } } })
    const { page, context } = await bench.signedIn(`/marketplace/${NAME}`)
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('needs mynah ^7').waitFor()
    const go = dialog.getByRole('button', { name: 'Install', exact: true })
    expect(await go.isDisabled()).to.equal(true)
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await until(async () => (await page.getByRole('dialog').count()) === 0)

    let state = 'fetching'
    const unscripted = { ...plan, changes: plan.changes.map(({ script: _, ...change }) => change) }
    answer({
      'packages:plan': { data: unscripted },
      'packages:runs': () => ({ data: { runs: [run(state)], rollback: false } }),
      'packages:cancel': () => {
        state = 'cancelled'
        return { data: { success: true } }
      },
    })
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await go.click()
    await dialog.locator('progress').waitFor()
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await dialog.getByText('Cancelled. The packages are those of before.').waitFor()
    await context.close()
  })

  for (const { locale, heading, none } of [
    { locale: 'en', heading: 'Changelog since the installed version', none: 'Changelog: none in the package' },
    { locale: 'zh-CN', heading: '自已安装版本以来的更新日志', none: '更新日志：none in the package' },
  ])
    it(`shows the changelog of an update as text (${locale})`, async () => {
      const all = exampleAnswers() as Record<string, { data: Record<string, unknown> }>
      const plan = all['packages:plan']?.data as { changes: Record<string, unknown>[] }
      const [change] = plan.changes
      const text = '## 0.3.1\n\n- **Faster** <img src=x onerror=alert(1)>'
      answer({
        'packages:plan': {
          data: {
            ...plan,
            changes: [
              { ...change, from: '0.3.0', changelog: { text } },
              {
                name: 'other',
                path: 'other',
                from: '1.0.0',
                to: '1.1.0',
                changelog: { missing: 'none in the package' },
              },
            ],
          },
        },
      })
      const { page, context, problems } = await bench.signedIn(`/marketplace/${NAME}`, { locale })
      await page.getByRole('button', { name: locale === 'en' ? 'Install' : '安装', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(none).waitFor()
      await dialog.getByText(heading, { exact: true }).click()
      expect(await dialog.locator('pre.plan-changelog').textContent()).to.equal(text)
      expect(await dialog.locator('img').count()).to.equal(0)
      await page.evaluate(await axeSource())
      expect(await findings(page)).to.deep.equal([])
      expect(problems).to.deep.equal([])
      await context.close()
    })

  it('counts updates in the rail', async () => {
    answer({})
    const { page, context } = await bench.signedIn('/marketplace')
    await page
      .locator('.rail')
      .getByRole('link', { name: /Marketplace.*1 update/ })
      .waitFor()
    await context.close()
  })
})
