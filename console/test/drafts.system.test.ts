// Text that is not saved is kept, or the console asks.
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

const goTo = async (page: Page, path: string): Promise<void> => {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}
const stored = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))

describe('what was typed and is not saved', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  beforeEach(() => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
  })

  it('in a new task is kept over other pages and a reload, until a person starts over', async () => {
    const { page, context } = await bench.signedIn('/cron/new')
    const prompt = page.locator('.task-form textarea')
    await prompt.fill('Say what broke in the night')
    expect(await page.getByText('Kept from your last visit').count()).to.equal(0)
    await goTo(page, '/plugins')
    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor()
    await goTo(page, '/cron/new')
    await prompt.waitFor()
    expect(await prompt.inputValue()).to.equal('Say what broke in the night')
    await page.reload()
    await page.getByText('Kept from your last visit').waitFor()
    expect(await prompt.inputValue()).to.equal('Say what broke in the night')
    await page.getByRole('button', { name: 'Start over' }).click()
    await eventually(async () => expect(await prompt.inputValue()).to.equal(''))
    await page.getByText('Kept from your last visit').waitFor({ state: 'detached' })
    await context.close()
  })

  it('as an answer is kept for its conversation, also where sending fails', async () => {
    const { page, context } = await bench.signedIn('/inbox')
    const talks = page.locator('.talks li > button')
    const field = page.locator('.answer input')
    await talks.nth(0).click()
    await field.fill('Half an ans')
    await talks.nth(1).click()
    await page.locator('.talks li > button[aria-current]').nth(0).waitFor()
    await eventually(async () => expect(await field.inputValue()).to.equal(''))
    await talks.nth(0).click()
    await eventually(async () => expect(await field.inputValue()).to.equal('Half an ans'))
    await page.reload()
    await eventually(async () => expect(await field.inputValue()).to.equal('Half an ans'))

    bench.host.answers['endpoint:sendMessage'] = { status: 500, error: 'The network is gone' }
    await page.getByText('Live', { exact: true }).waitFor()
    await field.press('Enter')
    await page.getByText('The network is gone').waitFor()
    expect(await field.inputValue()).to.equal('Half an ans')
    bench.host.answers['endpoint:sendMessage'] = { data: { messageId: 'm-1' } }
    await field.press('Enter')
    await eventually(async () => expect(await field.inputValue()).to.equal(''))
    await context.close()
  })

  it('in Env is kept by the page alone, and the browser asks before it is reloaded', async () => {
    const { page, context } = await bench.signedIn('/env')
    const name = page.locator('.inner form input').last()
    await name.fill('NEW_TOKEN')
    await goTo(page, '/plugins')
    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor()
    await goTo(page, '/env')
    await name.waitFor()
    expect(await name.inputValue()).to.equal('NEW_TOKEN')
    expect(await stored(page)).to.not.contain('NEW_TOKEN')
    await goTo(page, '/plugins')
    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor()
    const asked = page.waitForEvent('dialog')
    const leaving = page.reload().catch(() => undefined)
    const dialog = await asked
    expect(dialog.type()).to.equal('beforeunload')
    await dialog.accept()
    await leaving
    await context.close()
  })

  it('in a dialog is asked for at the first try to leave it', async () => {
    const { page, context } = await bench.signedIn('/database?table=quotes')
    await page.getByRole('button', { name: 'Condition' }).click()
    const dialog = page.getByRole('dialog')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Condition' }).click()
    await dialog.getByLabel('Value').fill('never')
    await page.keyboard.press('Escape')
    await dialog.getByText('Close again to lose what you typed').waitFor()
    expect(await dialog.getByLabel('Value').inputValue()).to.equal('never')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await context.close()
  })

  it('in rows of a table outlasts a reload', async () => {
    const { page, context } = await bench.signedIn('/database?table=quotes')
    const row = page.getByRole('row').filter({ hasText: '1267' })
    await row.getByRole('button', { name: /^Edit text/ }).press('Enter')
    await page.keyboard.type('It was the cache.')
    await page.keyboard.press('Enter')
    await page.getByText('1 change in quotes').waitFor()
    await page.reload()
    await page.getByText('1 change in quotes').waitFor()
    await row.getByRole('button', { name: 'Edit text: It was the cache.' }).waitFor()
    await context.close()
  })
})
