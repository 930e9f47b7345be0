import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { useBench } from './bench.js'
import { healthy, plugins } from './stand-in.js'

describe('the first screen', function () {
  this.timeout(240_000)
  const bench = useBench()
  const count = (call: string): number => bench.host.calls.filter((item) => item === call).length

  it('loads the plugins once for catalogue and page, and later only for the page', async () => {
    const { page, context } = await bench.signedIn()
    await page.locator('.wrongs').waitFor()
    await page.locator('.last.talk').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(count('GET /plugins')).to.equal(1)
    for (const round of [2, 3]) {
      bench.host.push('data-update', {})
      await until(() => count('GET /stats') === round && count('GET /plugins') === round)
    }
    await context.close()
  })

  it('loads them once in any order of answers, and again when plugins change', async () => {
    const { host } = bench
    const { data } = host.answers['GET /stats'] as { data: { plugins: object } }
    // The figures only once the list has come.
    host.answers['GET /stats'] = { status: 503, error: 'not yet', code: 'not_ready', headers: { 'retry-after': '1' } }
    const { page, context } = await bench.signedIn('/logs')
    await page.getByText('Live', { exact: true }).waitFor()
    await until(() => count('GET /plugins') === 1)
    host.answers['GET /stats'] = { data }
    await until(() => count('GET /stats') >= 2)
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(resolve))
        }),
    )
    host.answers['GET /stats'] = { data: { ...data, plugins: { total: 16, active: 15 } } }
    host.push('data-update', {})
    await until(() => count('GET /plugins') >= 2)
    expect(count('GET /plugins')).to.equal(2)
    await context.close()
  })

  it('does not wait for the probe of the assistant, whose page appears after it', async () => {
    const features = [
      { name: 'routes', count: 1, items: [{ name: 'GET /assistant/jobs' }] },
      { name: 'methods', count: 2, items: [{ name: 'ping' }, { name: 'endpoint:list' }] },
    ]
    bench.host.answers['GET /plugins'] = {
      data: [...plugins, { name: 'assistant', status: 'active', description: '', features }],
    }
    bench.host.answers['GET /assistant/jobs'] = 'silence'
    const { page, context } = await bench.signedIn()
    const rail = page.locator('.rail')
    await rail.getByRole('link', { name: /^Endpoints/ }).waitFor()
    await page.locator('.wrongs').waitFor()
    expect(await rail.getByRole('link', { name: 'Jobs' }).count()).to.equal(0)
    bench.host.answers['GET /assistant/jobs'] = { data: { jobs: [], eventsActive: false } }
    await page.reload()
    await rail.getByRole('link', { name: 'Jobs' }).waitFor()
    bench.host.answers = {
      ...healthy(),
      'GET /plugins': bench.host.answers['GET /plugins'],
      'GET /assistant/jobs': { status: 404, error: 'The assistant is switched off', code: 'not_found' },
    }
    await page.reload()
    await page.locator('.wrongs').waitFor()
    await until(() => count('GET /assistant/jobs') === 3)
    expect(await rail.getByRole('link', { name: 'Jobs' }).count()).to.equal(0)
    await context.close()
  })

  it('starts loading the code of the page before the first render', async () => {
    const { page, context } = await bench.signedIn('/plugins')
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/assets/plugins-')) asked.push(request.url())
    })
    await page.reload()
    // The stand-in host is asked by what is shown, so that what was asked for before came first.
    await page.waitForRequest((request) => request.url().endsWith('/pub/health'))
    expect(asked).to.have.length(1)
    await context.close()
  })
})
