// axe on dialogs that pages open, and on pages of an upright tablet.
import { expect } from 'chai'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

/** Ways to a dialog: a page, an element that shows that it is there, and the elements to press in turn. */
const dialogs: readonly (readonly [path: string, ready: string, ...press: string[]])[] = [
  ['/dashboard', '.wrongs', '.page-head .icon-button', '[role=menuitem].danger'],
  ['/database?table=quotes', '.grid tbody th', '.conditions .button'],
  ['/database?table=quotes', '.grid tbody th', '.grid .remove', '.draft-bar .primary'],
  ['/database?table=quotes', '.grid tbody th', '.page-head .icon-button', '[role=menuitem].danger'],
  ['/database?table=settings', '.db-split tbody tr', '.db-split tbody button'],
  ['/logs', '.vrow', '.page-head .icon-button', '[role=menuitem].danger'],
  ['/cron', 'tbody tr', 'tbody .icon-button', '[role=menuitem].danger'],
  ['/assistant/jobs?open=job_4f7c', '.runs tbody tr', '.runs > p .button'],
  ['/assistant/jobs?open=job_4f7c', '.runs tbody tr', '.runs tbody .button'],
  ['/agent/approvals', '.approval tbody tr', '.page-head .button'],
  ['/agent/approvals', '.approval tbody tr', '.approval .suggest .button'],
  ['/files', '[role=treeitem]', '.page-head .button'],
  ['/files', '[role=treeitem]', '.page-head .button >> nth=1'],
  ['/files', '[role=treeitem]', '.page-head .icon-button', '[role=menuitem]'],
  ['/files', '[role=treeitem]', '[role=treeitem]', '.page-head .icon-button', '[role=menuitem] >> nth=1'],
  ['/cron', 'tbody tr', 'tbody .icon-button', '[role=menuitem] >> nth=2'],
  ['/agent/models', '#servers tbody tr', '.held-tool .button'],
]

describe('opened dialogs', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  before(() => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
  })

  for (const colorScheme of ['light', 'dark'] as const)
    for (const [path, ready, ...press] of dialogs)
      it(`are accessible: ${path} ${press.join(', ')} (${colorScheme})`, async () => {
        const { page, context } = await bench.signedIn(path, {
          viewport: { width: 768, height: 1024 },
          reducedMotion: 'reduce',
          colorScheme,
        })
        await page.locator(`main ${ready}`).first().waitFor()
        await page.getByText('Live', { exact: true }).waitFor()
        await page.evaluate(await axeSource())
        for (const selector of press) await page.locator(selector).first().click()
        if (!path.includes('settings')) await page.locator('dialog[open]').waitFor()
        expect(await findings(page)).to.deep.equal([])
        // A dialog begins on a field or on the safe button, so that Enter changes nothing.
        if ((await page.locator('dialog[open]').count()) > 0)
          await eventually(async () =>
            expect(
              await page.evaluate(() => {
                const active = document.activeElement
                return active?.closest('dialog[open]') !== null && !active?.matches('button.primary, button.danger')
              }),
            ).to.equal(true),
          )
        await context.close()
      })
})
