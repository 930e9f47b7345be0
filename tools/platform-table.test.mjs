// Tests docs/platforms.md, and how it is made.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { adapterContract } from '@mynah/plugin-chat/testing'
import { root } from './lib.mjs'
import { OTHERS, ROWS } from './platform-rows.mjs'
import { acceptanceOf, adaptersIn, marksIn, MARKS, pageOf, readmesIn, shownBy } from './platform-table.mjs'

/** Returns the titles of the tests that the contract declares, with those of their suites. */
function titlesOfContract() {
  const titles = []
  let suites = []
  const describe = (title, body) => {
    const outer = suites
    suites = [...outer, title]
    body.call({ timeout: () => undefined })
    suites = outer
  }
  const ignore = () => undefined
  const it = (title) => void titles.push([...suites.slice(1), title].join(' '))
  const fakes = { describe, it, before: ignore, beforeEach: ignore, afterEach: ignore }
  const real = Object.fromEntries(Object.keys(fakes).map((name) => [name, globalThis[name]]))
  Object.assign(globalThis, fakes)
  try {
    adapterContract({ name: 'any', retains: true, start: () => Promise.reject(new Error('it is not run')) })
  } finally {
    Object.assign(globalThis, real)
  }
  return titles
}

const test = (title) => ({ fullTitle: `x in a room: the contract of adapters ${title}` })

describe('the table of platforms', () => {
  it('has each adapter and each row, and says what the READMEs say', () => {
    const page = readFileSync(join(root, 'docs/platforms.md'), 'utf8')
    const marks = marksIn(page)
    expect([...marks.keys()]).to.deep.equal(adaptersIn())
    for (const [name, shown] of marks) expect(shown.get(1), `the contract of ${name}`).to.equal(MARKS.whole)
    const rows = page.split('\n').filter((line) => /^\| \d+ /.test(line))
    expect(rows.map((row) => Number(row.split('|')[1]))).to.deep.equal(ROWS.map(({ number }) => number))
    for (const row of rows) expect(row.split('|'), row).to.have.length(adaptersIn().length + 4)
    expect(page, 'run node tools/platform-table.mjs').to.equal(pageOf(marks, readmesIn()))
  })

  it('knows each test of the contract, and names none that is not there', () => {
    const titles = titlesOfContract()
    const begins = [...ROWS.slice(1).flatMap(({ tests }) => tests), ...OTHERS]
    expect(titles.filter((title) => !begins.some((begin) => title.startsWith(begin)))).to.deep.equal([])
    expect(begins.filter((begin) => !titles.some((title) => title.startsWith(begin)))).to.deep.equal([])
  })

  it('takes from a run what has passed, whole or in part, in any of the suites', () => {
    const passes = [test('changes of a text are noticed'), test('threads have a channel of their own')]
    const shown = shownBy({ passes, pending: [test('changes that delete a message are noticed')], failures: [] })
    expect([...shown]).to.deep.equal([
      [1, MARKS.whole],
      [23, MARKS.part],
      [25, MARKS.whole],
    ])
    const absent = { fullTitle: 'x: the contract of adapters (ngircd is not installed) threads have' }
    const runs = { passes, pending: [absent], failures: [] }
    expect(() => shownBy(runs)).to.throw('ngircd is not installed')
    const failed = { ...test('memory stays flat'), err: { message: 'the heap grew' } }
    expect(() => shownBy({ passes, pending: [], failures: [failed] })).to.throw('the heap grew')
  })

  it('has a remark for each cell that the contract does not show, and names the README that lacks one', () => {
    const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => from + index).join(', ')
    const readme = (rest) =>
      ['## Acceptance', '', '| row | | |', '|---|---|---|', '| 1 contract | yes | |', ...rest, '', '## For tests'].join(
        '\n',
      )
    const rest = [`| ${numbers(2, 28)} all | no | the platform has none |`, '| 29 memory | `unknown` | no one asks |']
    const whole = readme([...rest, '| 30 README | yes | by hand |'])
    expect(acceptanceOf(whole).get(29)).to.deep.equal({ has: true, remark: '`unknown`: no one asks' })
    const marks = new Map([['x', new Map([[1, MARKS.whole]])]])
    const page = pageOf(marks, new Map([['x', whole]]))
    expect(marksIn(page)).to.deep.equal(marks)
    expect(page)
      .to.contain(`| 28 | two accounts | ${MARKS.no} |`)
      .and.contain(`| 30 | the README | ${MARKS.elsewhere} |`)
      .and.contain(`| ${MARKS.elsewhere} | 29 memory | \`unknown\`: no one asks |`)
    const faulty = new Map([['x', readme([...rest, '| 30 README | yes | |'])]])
    expect(() => pageOf(marks, faulty)).to.throw('adapter-x/README.md needs a remark')
    expect(() => pageOf(marks, new Map([['x', '# x']]))).to.throw('row 2, all planes of Unicode')
  })
})
