import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null)

describe('database rows', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  before(() => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
  })

  it('are edited by keys, keep the focus on the cell, and show the pending value with the former one', async () => {
    const { page, context } = await bench.signedIn('/database?table=quotes')
    const row = page.getByRole('row').filter({ hasText: '1267' })
    await row.getByRole('button', { name: /^Edit text/ }).press('Enter')
    await page.keyboard.type('It was the cache.')
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Edit text: It was the cache.',
    )
    expect(await row.locator('s').textContent()).to.equal('I will fix it on Friday.')

    await page.keyboard.press('Alt+0')
    await row.getByRole('button', { name: 'Edit text: NULL' }).waitFor()
    await row.getByRole('button', { name: /^Edit source/ }).press('Enter')
    await page.keyboard.type('never')
    await page.keyboard.press('Escape')
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Edit source: libera|#mynah-dev',
    )

    // Going elsewhere keeps what was typed, and does not take the focus back.
    await row.getByRole('button', { name: /^Edit score/ }).click()
    await page.keyboard.type('41')
    await row.getByRole('button', { name: /^Edit source/ }).focus()
    await row.getByRole('button', { name: 'Edit score: 41' }).waitFor()
    expect(await focused(page)).to.equal('Edit source: libera|#mynah-dev')
    await page.getByText('1 change in quotes').waitFor()

    await row.getByRole('button', { name: 'Undo' }).click()
    await row.getByRole('button', { name: 'Edit text: I will fix it on Friday.' }).waitFor()
    await page.getByText('1 change in quotes').waitFor({ state: 'detached' })
    await context.close()
  })

  it('are one tab stop, in which arrows, Home, End, PageUp and PageDown move', async () => {
    const { page, context } = await bench.signedIn('/database?table=quotes')
    const at = (): Promise<string> =>
      page.evaluate(() => {
        const cell = document.activeElement?.closest('td, th')
        const row = cell?.closest('tr')
        const column = (cell as HTMLTableCellElement | null)?.cellIndex
        return `${row?.closest('thead') ? 'head' : row?.cells[1]?.textContent}/${column}`
      })
    const press = async (key: string, place: string): Promise<void> => {
      await page.keyboard.press(key)
      expect(await at(), key).to.equal(place)
    }
    await page.locator('.grid tbody th').first().waitFor()
    const names = await page.locator('.grid tbody th').allTextContents()
    expect(names.length).to.be.greaterThan(3)
    const [first, second] = names
    const last = names.at(-1)
    expect(await page.locator('.grid [tabindex="0"]').count()).to.equal(1)
    await page.locator('.grid [tabindex="0"]').focus()
    expect(await at()).to.equal(`${first}/1`)
    await press('ArrowRight', `${first}/2`)
    await press('ArrowDown', `${second}/2`)
    const end = await page.locator('.grid thead th').count()
    await press('End', `${second}/${end - 1}`)
    await press('ArrowRight', `${second}/${end - 1}`)
    await press('Home', `${second}/1`)
    await press('Control+End', `${last}/${end - 1}`)
    await press('Control+Home', `${first}/1`)
    await page.keyboard.press('PageDown')
    expect([`${first}/1`, `${second}/1`]).to.not.include(await at())
    await press('PageUp', `${first}/1`)
    await press('ArrowUp', 'head/1')
    expect(await page.locator('.grid [tabindex="0"]').count()).to.equal(1)

    await press('ArrowDown', `${first}/1`)
    await press('ArrowRight', `${first}/2`)
    await page.keyboard.press('F2')
    await page.locator('.cell-input').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.cell-input').waitFor({ state: 'detached' })
    expect(await at()).to.equal(`${first}/2`)
    // The next stop is behind the grid.
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('.grid'))).to.equal(null)
    await context.close()
  })

  it('of a page that there is not are those of the last one', async () => {
    const rows = [{ id: 1, text: 'the last', author: null, source: '', score: 1, added_at: '' }]
    bench.host.answers['db:select'] = ({ page, pageSize }) => ({
      data: { rows: page === 200 ? rows : [], total: 200 * Number(pageSize), page, pageSize },
    })
    const { page, context } = await bench.signedIn('/database?table=quotes&page=9999')
    await page.getByRole('button', { name: 'Edit text: the last' }).waitFor()
    await page.getByText('200 of 200', { exact: true }).waitFor()
    expect(new URL(page.url()).search).to.equal('?table=quotes&page=200')
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
    await context.close()
  })

  it('are sorted by a column: ascending, descending, and as the table has them', async () => {
    const orders: unknown[] = []
    const { 'db:select': select } = bench.host.answers
    bench.host.answers['db:select'] = (params) => {
      orders.push(params['order'])
      return typeof select === 'function' ? select(params) : (select ?? 'silence')
    }
    const { page, context } = await bench.signedIn('/database?table=quotes')
    const head = page.getByRole('columnheader', { name: /^score/ })
    for (const order of ['ascending', 'descending', 'none']) {
      await head.getByRole('button').click()
      await page.locator(`th[aria-sort="${order}"]`, { hasText: 'score' }).waitFor()
    }
    // The first order is known, and asked for again.
    await eventually(() => expect(orders).to.deep.equal([undefined, { score: 'asc' }, { score: 'desc' }, undefined]))
    expect(new URL(page.url()).search).to.equal('?table=quotes')
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
    await context.close()
  })

  it('undo one of several changes and keep the others', async () => {
    const { page, context } = await bench.signedIn('/database?table=quotes')
    await page.getByRole('button', { name: /^New row/ }).click()
    const added = page.locator('tr.added')
    await added.getByRole('button', { name: /^Edit text/ }).press('Enter')
    await page.keyboard.type('Fresh')
    await page.keyboard.press('Enter')
    await page
      .getByRole('row')
      .filter({ hasText: '1268' })
      .getByRole('button', { name: /^Edit text/ })
      .press('Delete')
    await page.getByText('2 changes in quotes').waitFor()
    expect(await page.locator('tr.removed').count()).to.equal(1)
    await added.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 change in quotes').waitFor()
    expect(await page.locator('tr.removed').count()).to.equal(1)
    await context.close()
  })

  it('offer each deleted row again until it is restored', async () => {
    const { answers } = bench.host
    const inserted: unknown[] = []
    Object.assign(answers, {
      'db:delete': { data: { success: true } },
      'db:insert': (params: Readonly<Record<string, unknown>>) => {
        inserted.push((params['row'] as { id: number }).id)
        return inserted.length === 2 ? { status: 500, error: 'The disk is full' } : { data: { success: true } }
      },
    })
    const { page, context } = await bench.signedIn('/database?table=quotes')
    for (const id of ['1267', '1268', '1269'])
      await page
        .getByRole('row')
        .filter({ hasText: id })
        .getByRole('button', { name: /^Edit text/ })
        .press('Delete')
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Make 3 changes' }).click()
    await page.getByText('3 rows were deleted').waitFor()
    const back = page.getByRole('button', { name: 'Put them back' })
    await back.click()
    await page.getByText('The disk is full').waitFor()
    await page.getByText('2 rows were deleted').waitFor()
    await back.click()
    await page.getByText('The rows are back').waitFor()
    await back.waitFor({ state: 'detached' })
    expect(inserted).to.deep.equal([1267, 1268, 1268, 1269])
    await context.close()
  })

  it('keep the draft bar in reach under messages', async () => {
    const { page, context } = await bench.signedIn('/database?table=quotes')
    await page.getByRole('button', { name: /^New row/ }).waitFor()
    bench.host.answers['db:tables'] = { status: 500, error: 'The disk is gone' }
    await page.getByRole('button', { name: 'Refresh' }).click()
    const toast = page.locator('.toast', { hasText: 'The disk is gone' })
    await toast.waitFor()
    // The bar comes after the announcement.
    await page.getByRole('button', { name: /^New row/ }).click()
    const review = page.getByRole('button', { name: /^Review 1 change/ })
    await review.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.waitForFunction(
      () =>
        (document.querySelector('.toast')?.getBoundingClientRect().bottom ?? Infinity) <=
        (document.querySelector('.draft-bar')?.getBoundingClientRect().top ?? 0),
    )
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
    await context.close()
  })

  it('follow a change of the language', async () => {
    const { page, context } = await bench.signedIn('/database?table=quotes')
    await page
      .getByRole('button', { name: /^Edit author: NULL/ })
      .first()
      .waitFor()
    await page.getByText('empty text', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('menuitemradio', { name: '简体中文' }).click()
    await page.getByRole('button', { name: '编辑 author: NULL' }).first().waitFor()
    await page.getByText('空文本', { exact: true }).first().waitFor()
    expect(await page.getByText('empty text', { exact: true }).count()).to.equal(0)
    await context.close()
  })

  it('keep the key column visible when a narrow screen is scrolled sideways', async () => {
    const { page, context } = await bench.signedIn('/database?table=quotes', { viewport: { width: 390, height: 844 } })
    const name = page.getByRole('rowheader', { name: '1267' })
    await name.waitFor()
    const grid = page.locator('.grid')
    expect(await grid.evaluate((box) => box.scrollWidth > box.clientWidth)).to.equal(true)
    await grid.evaluate((box) => {
      box.scrollLeft = box.scrollWidth
    })
    const [box, column] = [await grid.boundingBox(), await name.boundingBox()]
    expect(column?.x)
      .to.be.at.least(box?.x ?? Infinity)
      .and.below((box?.x ?? 0) + 60)
    // It is what is seen there: nothing lies over it.
    expect(
      await name.evaluate((cell) => {
        const { x, y, width, height } = cell.getBoundingClientRect()
        return cell.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      }),
    ).to.equal(true)
    await context.close()
  })
})
