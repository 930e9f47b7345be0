import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { volumeOf } from './log-volume.js'
import { healthy } from './stand-in.js'

describe('the log page', function () {
  this.timeout(240_000)
  const bench = useBench()

  it('follows a thousand lines a second without moving the view', async () => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
    const began = Date.now()
    const lines = (count: number, before: number) =>
      Array.from({ length: count }, (_, index) => ({
        id: String(1_000_000 + before - index),
        level: 'info',
        name: `p${index % 7}`,
        message: `line ${before - index}`,
        source: 'p',
        timestamp: new Date(began + before - index).toISOString(),
      }))
    let newest = 500
    bench.host.answers['GET /logs'] = (params) => ({
      data: lines(
        Number(params['limit'] ?? 100),
        params['before'] === undefined ? newest : Number(params['before']) - 1_000_001,
      ),
    })
    const { page, context } = await bench.signedIn('/logs')
    await page.locator('.vrow').first().waitFor()
    newest += 2000
    await page.locator('.vrow', { hasText: 'line 2500' }).waitFor()
    expect(await page.locator('.vrow').count()).to.be.at.most(60)
    // Scrolled away, what is read stays and what comes is counted.
    await page.locator('.virtual').evaluate((element) => {
      element.scrollTop = 2800
    })
    await page.getByText('Paused').waitFor()
    // The rows of the new position are drawn.
    await page.waitForFunction(() => {
      const seen = document.querySelector('.virtual')?.getBoundingClientRect()
      const rows = [...document.querySelectorAll('.vrow')].map((row) => row.getBoundingClientRect())
      return seen && (rows[0]?.top ?? Infinity) <= seen.top && (rows.at(-1)?.bottom ?? 0) >= seen.bottom
    })
    const read = await page.locator('.vrow').nth(10).textContent()
    newest += 2000
    await page.getByText('Paused, 2,000 new').waitFor()
    expect(await page.locator('.vrow').nth(10).textContent()).to.equal(read)
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.locator('.vrow', { hasText: 'line 4500' }).waitFor()
    await context.close()
  })

  it('shows no held line when the pause ends together with a change of the filter', async () => {
    const began = Date.UTC(2026, 10, 22, 12)
    let newest = 50
    const line = (index: number) => ({
      id: String(1_000_000 + index),
      level: 'info',
      name: 'p',
      message: index > 50 ? `late ${index}` : `early ${index}`,
      source: 'p',
      timestamp: new Date(began + index).toISOString(),
    })
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'GET /logs': ({ search }) => ({
        data: Array.from({ length: newest }, (_, index) => line(newest - index)).filter(({ message }) =>
          message.includes(String(search ?? '')),
        ),
      }),
    }
    const { page, context } = await bench.signedIn('/logs?filter=early')
    await page.locator('.vrow', { hasText: 'early 50' }).waitFor()
    // The chosen minute pauses the page.
    await page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, `/logs?at=${began}`)
    await page.getByText('Paused', { exact: true }).waitFor()
    await page.locator('.vrow mark').first().waitFor({ state: 'detached' })
    // Only lines that come after an answer without the filter count as new.
    const calls = () => bench.host.calls.filter((call) => call === 'GET /logs').length
    const asked = calls()
    await until(() => calls() > asked + 1)
    newest += 20
    await page.getByText('Paused, 20 new').waitFor()
    await page.evaluate(() => {
      const seen: string[] = []
      Object.assign(globalThis, { seen })
      new MutationObserver(() => {
        const late = [...document.querySelectorAll('.vrow')].find((row) => row.textContent?.includes('late'))
        if (late) seen.push(late.textContent ?? '')
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
      history.back()
    })
    await page.waitForURL('**/logs?filter=early')
    await page.getByText('Following').waitFor()
    await page.locator('.vrow mark', { hasText: 'early' }).first().waitFor()
    const polls = calls()
    await until(() => calls() > polls + 1)
    expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).to.deep.equal([])
    await context.close()
  })

  it('shows figures of the store, which go on with the lines', async () => {
    const began = Date.UTC(2026, 10, 22, 12)
    let newest = 620
    const level = (index: number) => (index % 100 === 0 ? 'error' : 'info')
    const line = (index: number) => ({
      id: String(1_000_000 + index),
      level: level(index),
      name: `p${index % 3}`,
      message: `line ${index}`,
      source: 'p',
      timestamp: new Date(began + index).toISOString(),
    })
    const stored = () => Array.from({ length: newest }, (_, index) => line(newest - index))
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'GET /logs': ({ limit, before }) => ({
        data: stored()
          .filter(({ id }) => before === undefined || Number(id) < Number(before))
          .slice(0, Number(limit)),
      }),
      'GET /logs/stats': () => {
        const errors = stored().filter((entry) => entry.level === 'error').length
        return {
          data: {
            total: newest,
            byLevel: { error: errors, info: newest - errors },
            oldestTimestamp: line(1).timestamp,
          },
        }
      },
    }
    const { page, context } = await bench.signedIn('/logs')
    await page.getByText('620 lines', { exact: true }).waitFor()
    await page.getByText('the newest 500 are loaded').waitFor()
    newest += 180
    await page.getByText('800 lines', { exact: true }).waitFor()
    await page.getByText('the newest 680 are loaded').waitFor()
    expect(await page.locator('.level-chips .error small').textContent()).to.equal('8')
    expect(await page.locator('.level-chips .info small').textContent()).to.equal('792')
    await page.getByRole('checkbox', { name: 'Info' }).uncheck()
    // All chips but one add up to it, and each of its lines is a row.
    await page.getByText('8 of 800 lines', { exact: true }).waitFor()
    await context.close()
  })

  it('counts minutes and what matches by the store, also lines that are not loaded, and goes on with the lines', async () => {
    const minute = 60_000
    const began = Math.floor(Date.now() / minute) * minute - 30 * minute
    // Forty lines a minute, of which one is an error, so that 500 lines are some minutes only.
    let newest = 30 * 40
    const line = (index: number) => ({
      id: String(1_000_000 + index),
      level: index % 40 === 0 ? 'error' : 'info',
      name: 'p',
      message: `${index % 2 ? 'odd' : 'even'} ${index}`,
      source: 'p',
      timestamp: new Date(Math.min(began + Math.floor(index / 40) * minute + (index % 40), Date.now())).toISOString(),
    })
    const stored = (search: unknown) =>
      Array.from({ length: newest }, (_, index) => line(newest - 1 - index)).filter(({ message }) =>
        message.includes(String(search ?? '')),
      )
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'GET /logs': ({ limit, before, search, from, to }) => ({
        data: stored(search)
          .filter(({ id }) => before === undefined || Number(id) < Number(before))
          .filter(({ timestamp }) => from === undefined || Date.parse(timestamp) >= Number(from))
          .filter(({ timestamp }) => to === undefined || Date.parse(timestamp) < Number(to))
          .slice(0, Number(limit)),
      }),
      'GET /logs/stats': ({ search }) => {
        const found = stored(search)
        const errors = found.filter(({ level }) => level === 'error').length
        return {
          data: {
            total: found.length,
            byLevel: { error: errors, info: found.length - errors },
            oldestTimestamp: line(0).timestamp,
          },
        }
      },
      'GET /logs/volume': ({ search }) => ({ data: volumeOf(stored(search) as never) }),
    }
    const { page, context } = await bench.signedIn('/logs?filter=even')
    await page.getByText('600 of 1,200 lines').waitFor()
    await page.getByText('the newest 500 are loaded').waitFor()
    const chips = () => page.locator('.level-chips small').allTextContents()
    // Every error is even.
    await until(async () => (await chips()).join() === '30,0,570,0')
    // A minute whose lines are not loaded.
    const bars = page.getByRole('slider')
    await bars.focus()
    await page.keyboard.press('End')
    for (let back = 0; back < 28; back++) await page.keyboard.press('ArrowLeft')
    await until(async () => (await bars.getAttribute('aria-valuetext'))?.includes('20 lines') === true)
    await page.getByText('20 of 1,200 lines').waitFor()
    expect(await page.locator('.vrow').count()).to.equal(20)
    await page.keyboard.press('Escape')
    await page.getByText('600 of 1,200 lines').waitFor()
    newest += 80
    await page.getByText('640 of 1,280 lines').waitFor()
    await page.getByText('the newest 540 are loaded').waitFor()
    await until(async () => (await chips()).join() === '32,0,608,0')
    await page.getByLabel('Text in the message').fill('')
    await page.keyboard.press('Escape')
    await bars.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await until(async () => (await bars.getAttribute('aria-valuetext'))?.includes('40 lines, 1 ') === true)
    await context.close()
  })
})
