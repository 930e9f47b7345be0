import { expect } from 'chai'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'
import { isSessionKey } from '../src/pages/sessions/model.js'

const KEY = 'irc|libera|group|#elsewhere'

describe('the list of sessions', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  before(() => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
  })

  it('has one field, which offers to open a complete key', async () => {
    const { page, context } = await bench.signedIn('/agent/sessions')
    await page.getByText('2 of 2, the last active first').waitFor()
    expect(await page.locator('main input').count()).to.equal(1)
    const open = page.getByRole('button', { name: 'Open this key' })
    await page.keyboard.press('/')
    await page.keyboard.type('irc|libera')
    await page.waitForURL(/filter=irc/)
    expect(await open.count()).to.equal(0)
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).searchParams.get('key')).to.equal(null)
    await page.keyboard.type('|group|#elsewhere')
    await open.waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('key') === KEY)
    await eventually(async () => expect(await page.getByLabel('Session key').inputValue()).to.equal(KEY))
    await context.close()
  })

  it('says what went in and what came out', async () => {
    const { page, context } = await bench.signedIn('/agent/sessions')
    await page.getByRole('columnheader', { name: 'Tokens in / out' }).waitFor()
    await page
      .getByRole('row', { name: /docs build/ })
      .getByRole('cell', { name: '182k / 9.3k' })
      .waitFor()
    await context.close()
  })

  it('distinguishes a key from a part of one', () => {
    for (const key of [KEY, ' telegram|support|private|77 ', 'a|b|channel|guild/7|8'])
      expect(isSessionKey(key), key).to.equal(true)
    for (const part of [
      '',
      'docs build',
      'irc|libera',
      'irc|libera|group|',
      '|libera|group|x',
      'a word|libera|group|x',
    ])
      expect(isSessionKey(part), part).to.equal(false)
  })
})
