import { expect } from 'chai'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers } from './example-data.js'
import { healthy, plugins } from './stand-in.js'

describe('a list page', function () {
  this.timeout(240_000)
  const bench = useBench()

  it('keeps its rows when a refresh fails, marks them out of date, and quotes the host until that is dismissed', async () => {
    const { page, context } = await bench.signedIn('/plugins')
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    bench.host.answers['GET /plugins'] = { status: 500, error: 'The disk is full' }
    await page.keyboard.press('r')
    const alert = page.getByRole('alert').filter({ hasText: 'GET /plugins: The disk is full' })
    await alert.waitFor()
    await page.getByText('Out of date').waitFor()
    await eventually(async () => expect(await page.getByRole('rowheader').count()).to.equal(plugins.length))
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    await alert.waitFor({ state: 'detached' })
    bench.host.answers = healthy()
    await page.keyboard.press('r')
    await page.getByText('Out of date').waitFor({ state: 'detached' })
    await context.close()
  })

  it('shows the failed request and loads on retry', async () => {
    bench.host.answers['GET /plugins'] = { status: 500, error: 'The disk is full' }
    const { page, context } = await bench.signedIn('/plugins')
    const notice = page.locator('main').getByRole('alert')
    await notice.waitFor()
    expect(await notice.textContent())
      .to.contain('The disk is full')
      .and.to.contain('Request: GET /plugins, status 500')
    const top = async (text: string) => (await notice.getByText(text).last().boundingBox())?.y ?? 0
    const [message, request] = await Promise.all([top('The disk is full'), top('Request: GET')])
    expect(request).to.be.greaterThan(message)
    bench.host.answers = healthy()
    await notice.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    await context.close()
  })

  it('keeps the table head while the host is not ready, and recovers by itself', async () => {
    bench.host.answers['GET /plugins'] = {
      status: 503,
      error: 'AI service is still starting',
      code: 'not_ready',
      headers: { 'retry-after': '1' },
    }
    const { page, context } = await bench.signedIn('/plugins')
    await page.getByText('AI service is still starting').waitFor()
    await page.getByRole('columnheader', { name: 'Description' }).waitFor()
    bench.host.answers = healthy()
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    await context.close()
  })

  it('distinguishes an empty list from one without matches', async () => {
    const { page, context } = await bench.signedIn('/plugins?filter=zzz')
    await page.getByText('Nothing matches “zzz”').waitFor()
    await page.getByText('0 of 3').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByText('1 failed, 2 running', { exact: true }).waitFor()
    await page.getByRole('rowheader', { name: 'chat' }).waitFor()
    bench.host.answers['GET /plugins'] = { data: [] }
    await page.keyboard.press('r')
    await page.getByText('No plugins yet').waitFor()
    await context.close()
  })

  for (const path of ['/plugins', '/agent/sessions', '/traces'])
    it(`keeps what is typed while its address changes: ${path}`, async () => {
      bench.host.answers = { ...healthy(), ...exampleAnswers() }
      const { page, context } = await bench.signedIn(path)
      const field = page.locator('main input[type=search]').first()
      await field.waitFor()
      // The next key comes exactly when the address has the former text, and is not rendered yet.
      await field.evaluate((input: HTMLInputElement) => {
        const replace = history.replaceState.bind(history)
        history.replaceState = (...args) => {
          replace(...args)
          if (input.value !== 'chat') return
          input.value = 'chats'
          input.dispatchEvent(new InputEvent('input', { bubbles: true }))
        }
      })
      await field.fill('chat')
      await page.waitForURL(/filter=chats/)
      expect(await field.inputValue()).to.equal('chats')
      await context.close()
    })

  it('pages by mouse and keys, announces pages, corrects the page number, and keeps the order in the address', async () => {
    bench.host.answers['GET /plugins'] = {
      data: Array.from({ length: 140 }, (_, index) => ({
        name: `plugin-${String(index).padStart(3, '0')}`,
        status: 'active',
        description: '',
        features: [],
      })),
    }
    const { page, context } = await bench.signedIn('/plugins?page=99')
    await page.waitForURL('**/plugins?page=3')
    await page.getByText('3 of 3').waitFor()
    await eventually(async () => expect(await page.getByRole('rowheader').count()).to.equal(40))
    await page.keyboard.press('[')
    await page.waitForURL('**/plugins?page=2')
    await page.getByText('50 of 140 plugins, page 2').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'First page' }).click()
    await page.waitForURL('**/plugins')
    await page.getByRole('columnheader', { name: 'Plugin' }).getByRole('button').click()
    await page.getByRole('columnheader', { name: 'Plugin' }).getByRole('button').click()
    await page.waitForURL('**/plugins?sort=-name')
    await eventually(async () => expect(await page.getByRole('rowheader').first().textContent()).to.equal('plugin-139'))
    await eventually(async () =>
      expect(await page.getByRole('columnheader', { name: 'Plugin' }).getAttribute('aria-sort')).to.equal('descending'),
    )
    await context.close()
  })

  it('opens the menu of a row by keys and copies its name', async () => {
    const { page, context } = await bench.signedIn('/plugins', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Actions for chat' }).focus()
    await page.keyboard.press('Enter')
    for (let down = 0; down < 3; down++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal('chat')
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).to.equal(
        'Actions for chat',
      ),
    )
    await context.close()
  })
})
