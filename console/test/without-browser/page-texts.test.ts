import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { joinFacts, joinList } from '../../src/kit/join-list.js'
import { defineTexts, type Texts } from '../../src/kit/texts.js'
import { weekdayClock } from '../../src/kit/time-format.js'
import { consoleRoot } from '../site.js'

const compiled = join(consoleRoot, 'test/dist/src')
/** A page’s words, in one file or in those of its parts. */
const WORDS = /texts\.js$/
const names = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)(?::[^{}]*)?\}/g)].map((match) => match[1] ?? ''))].sort()

describe('page texts', () => {
  let found: { readonly folder: string; readonly words: Texts<string> }[]
  before(async () => {
    const files = (await readdir(compiled, { recursive: true })).filter(
      (file) => WORDS.test(file) && !file.startsWith('kit'),
    )
    found = (
      await Promise.all(
        files.map(async (file) =>
          Object.values(
            (await import(pathToFileURL(join(compiled, file)).href)) as Record<string, Partial<Texts<string>>>,
          )
            .filter((words): words is Texts<string> => words.en !== undefined)
            .map((words) => ({ folder: join(file, '..'), words })),
        ),
      )
    ).flat()
    expect(found.length).to.be.at.least(19)
  })

  it('have the same keys and values in English and Chinese', () => {
    for (const { folder, words } of found) {
      expect(Object.keys(words.zhCN), folder).to.deep.equal(Object.keys(words.en))
      for (const [key, english] of Object.entries(words.en)) {
        const chinese = words.zhCN[key] ?? ''
        // A role that goes without saying has no word in either.
        if (english !== '') expect(chinese.trim(), `${folder} ${key}`).to.not.equal('')
        expect(names(chinese), `${folder} ${key}`).to.deep.equal(names(english))
      }
    }
  })

  it('use one word for one meaning', async () => {
    // Words of the same meaning that the console does not use.
    const others: Readonly<Record<string, string>> = { 端点: '接入点', 宿主: '主机' }
    const { zhCN } = (await import(pathToFileURL(join(compiled, 'locales/zh-CN.js')).href)) as {
      zhCN: Readonly<Record<string, string>>
    }
    const said = [...Object.entries(zhCN), ...found.flatMap(({ words }) => Object.entries(words.zhCN))]
    for (const [other, word] of Object.entries(others))
      expect(
        said.filter(([, text]) => text.includes(other)).map(([key]) => key),
        `${other}: ${word}`,
      ).to.deep.equal([])
  })

  it('are all used', async () => {
    for (const { folder, words } of found) {
      const files = (await readdir(join(consoleRoot, 'src', folder))).filter(
        (file) => /(?<!\.test)\.tsx?$/.test(file) && !file.endsWith('texts.ts'),
      )
      const source = (
        await Promise.all(files.map((file) => readFile(join(consoleRoot, 'src', folder, file), 'utf8')))
      ).join('\n')
      const built = [...source.matchAll(/`([a-z.-]+)\.\$\{/gi)].map((match) => `${match[1]}.`)
      const unused = Object.keys(words.en).filter(
        (key) =>
          !source.includes(`'${key}'`) &&
          !source.includes(`"${key}"`) &&
          !built.some((prefix) => key.startsWith(prefix)) &&
          !new RegExp(`\\b${key.replace(/\W/g, '\\$&')}\\b`).test(source),
      )
      expect(unused, folder).to.deep.equal([])
    }
  })

  it('write numbers, days and lists as the language does', async () => {
    const words = defineTexts({ rows: '{count} rows' }, { rows: '{count} 行' })
    expect(words('rows', { count: 18_204 })).to.equal('18,204 rows')
    expect(words('rows', { count: '18204' })).to.equal('18204 rows')
    expect(weekdayClock(Date.UTC(2026, 10, 22, 7, 5), 'zh-CN', 'UTC')).to.equal('周日 07:05')
    expect(weekdayClock(Date.UTC(2026, 10, 22, 7, 5), 'en', 'UTC')).to.equal('Sun 07:05')
    expect([joinList(['a', 'b']), joinFacts('5 tasks', '', '2 failed')]).to.deep.equal(['a, b', '5 tasks, 2 failed'])
  })

  it('choose the plural form by the count', () => {
    const words = defineTexts(
      { rows: '1 row | {count} rows', plain: '{count} left' },
      { rows: '{count} 行', plain: '剩 {count}' },
    )
    expect(words('rows', { count: 1 })).to.equal('1 row')
    expect(words('rows', { count: 0 })).to.equal('0 rows')
    expect(words('rows', { count: 7 })).to.equal('7 rows')
    expect(words('plain', { count: 1 })).to.equal('1 left')
  })

  it('choose the plural form for each of several counts', () => {
    const words = defineTexts(
      { fact: '{total} {total:account|accounts} on {places} {places:platform|platforms}' },
      { fact: '{places} 个平台上的 {total} 个账号' },
    )
    expect(words('fact', { total: 1, places: 1 })).to.equal('1 account on 1 platform')
    expect(words('fact', { total: '1,204', places: 0 })).to.equal('1,204 accounts on 0 platforms')
    expect(words('fact', { total: 2 })).to.equal('2 accounts on {places} {places:platform|platforms}')
  })
})
