import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

const NOW = Date.now()
const RESULT = 'The docs are built again.'

describe('the runs of a job', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })

  for (const { locale, width, sendAgain, sent, waits } of [
    { locale: 'en', width: 1440, sendAgain: 'Send again', sent: 'The result was sent', waits: 'waits for you' },
    { locale: 'zh-CN', width: 390, sendAgain: '重新发送', sent: '结果已发送', waits: '等待你' },
  ])
    it(`quote a result that did not arrive, and send it again by keyboard (${locale}, ${width} px)`, async () => {
      const asked: unknown[] = []
      let isRefused = true
      const undelivered = {
        id: 'run1',
        jobId: 'job_4f7c',
        slot: 'evt a',
        state: 'undelivered',
        attempt: 1,
        startedAt: NOW - 60_000,
        finishedAt: NOW - 50_000,
        error: 'the result could not be delivered: the bot was blocked',
        result: RESULT,
      }
      const waiting = {
        id: 'run2',
        jobId: 'job_4f7c',
        slot: 'evt b',
        state: 'running',
        attempt: 1,
        startedAt: NOW,
        waiting: true,
      }
      bench.host.answers = {
        ...healthy(),
        ...exampleAnswers(),
        'jobs:runs': () => ({
          data: { runs: [waiting, isRefused ? undelivered : { ...undelivered, state: 'ok', error: undefined }] },
        }),
        'jobs:resend': (params) => {
          asked.push(params['runId'])
          if (isRefused && asked.length === 1)
            return { status: 502, error: 'The result did not arrive: blocked', code: 'upstream_unavailable' }
          isRefused = false
          return { data: { success: true } }
        },
      }
      const { page, context } = await bench.signedIn('/assistant/jobs?open=job_4f7c', {
        locale,
        viewport: { width, height: 900 },
      })
      await page
        .getByText('Live', { exact: true })
        .or(page.getByText('实时', { exact: true }))
        .waitFor()
      const runs = page.locator('.runs')
      await runs.getByText(waits, { exact: true }).waitFor()
      await runs.locator('.quote', { hasText: RESULT }).waitFor()
      await runs.getByRole('button', { name: sendAgain }).focus()
      await page.keyboard.press('Enter')
      await runs.getByRole('alert').getByText('The result did not arrive: blocked').waitFor()
      await runs.getByRole('button', { name: sendAgain }).focus()
      await page.keyboard.press('Enter')
      await page.getByText(sent).waitFor()
      await until(async () => (await runs.getByRole('button', { name: sendAgain }).count()) === 0)
      expect(asked).to.deep.equal(['run1', 'run1'])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).to.equal(true)
      await context.close()
    })

  it('and the row of the job count tries alike', async () => {
    const answers = exampleAnswers()
    const { data } = answers['GET /assistant/jobs'] as { data: { jobs: { id: string; state: object }[] } }
    const jobs = data.jobs.map((job) =>
      job.id === 'job_4f7c' ? { ...job, state: { ...job.state, retryCount: 2 } } : job,
    )
    const run = { id: 'run1', jobId: 'job_4f7c', slot: 'evt a', state: 'error', attempt: 3, startedAt: NOW - 60_000 }
    bench.host.answers = {
      ...healthy(),
      ...answers,
      'GET /assistant/jobs': { data: { ...data, jobs } },
      'jobs:runs': { data: { runs: [{ ...run, finishedAt: NOW }] } },
    }
    const { page, context } = await bench.signedIn('/assistant/jobs?open=job_4f7c', {
      viewport: { width: 1440, height: 900 },
    })
    await page.locator('.runs td.num', { hasText: '3' }).waitFor()
    await page
      .getByRole('row', { name: /GitHub: build broken/ })
      .getByText(/try 3$/)
      .waitFor()
    await context.close()
  })

  for (const { locale, width, name, again, refused } of [
    { locale: 'en', width: 1440, name: /^Run again as on/, again: 'Run again', refused: /the job was changed since/ },
    { locale: 'en', width: 768, name: /^Run again as on/, again: 'Run again', refused: /the job was changed since/ },
    { locale: 'zh-CN', width: 390, name: /那样再次运行$/, again: '再次运行', refused: /作业此后已更改/ },
  ])
    it(`run again with the same input by keyboard, or say why not (${locale}, ${width} px)`, async () => {
      const asked: unknown[] = []
      const ended = { jobId: 'job_4f7c', slot: 'evt a', state: 'ok', attempt: 1, startedAt: NOW - 60_000 }
      bench.host.answers = {
        ...healthy(),
        ...exampleAnswers(),
        'jobs:runs': {
          data: {
            runs: [
              { ...ended, id: 'run3', state: 'running' },
              { ...ended, id: 'run2', finishedAt: NOW - 50_000 },
              { ...ended, id: 'run1', finishedAt: NOW - 50_000, inputChanged: true },
            ],
          },
        },
        'jobs:repeat': (params) => {
          asked.push(params['runId'])
          return { data: { runId: 'run4' } }
        },
      }
      const { page, context } = await bench.signedIn('/assistant/jobs?open=job_4f7c', {
        locale,
        viewport: { width, height: 900 },
      })
      await page
        .getByText('Live', { exact: true })
        .or(page.getByText('实时', { exact: true }))
        .waitFor()
      const buttons = page.locator('.runs').getByRole('button', { name })
      await buttons.first().waitFor()
      expect(await buttons.count()).to.equal(1)
      expect(await page.locator('.runs').getByText(refused).count()).to.equal(1)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).to.equal(true)
      await page.evaluate(await axeSource())
      expect(await findings(page)).to.deep.equal([])
      await buttons.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      // The dialog begins on the safe button.
      const isSafe = () =>
        page.evaluate(() => document.activeElement?.matches('dialog[open] footer button:not(.primary, .danger)'))
      await until(async () => (await isSafe()) === true)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      expect(asked).to.deep.equal([])
      await buttons.focus()
      await page.keyboard.press('Enter')
      await until(async () => (await isSafe()) === true)
      await dialog.getByRole('button', { name: again }).focus()
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      expect(asked).to.deep.equal(['run2'])
      await context.close()
    })
})
