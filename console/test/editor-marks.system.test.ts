// The marks of what is wrong in an edited file.
import { expect } from 'chai'
import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

describe('the editor of Config', function () {
  this.timeout(90_000)
  const bench = useBench()

  it('keeps the marks of wrong lines when the connection is lost and comes back', async () => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
    const { page, context } = await bench.signedIn('/config?mode=yaml')
    await page.locator('.state.ok').waitFor()
    const marks = page.locator('.cm-lint-marker-error')
    await marks.first().waitFor()
    const count = await marks.count()
    await page.locator('.cm-editor').evaluate((editor) => editor.setAttribute('data-former', ''))
    bench.host.dropStreams()
    const other = page.locator('.cm-editor:not([data-former]) .cm-content[contenteditable=true]')
    await other.waitFor()
    await page.locator('.cm-editor:not([data-former]) .cm-lint-marker-error').first().waitFor()
    expect(await marks.count()).to.equal(count)
    await context.close()
  })
})
