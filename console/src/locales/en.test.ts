import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { fill } from '../lib/i18n.js'
import { en } from './en.js'
import { zhCN } from './zh-CN.js'
import { consoleRoot } from '../../test/site.js'

const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').sort()

describe('languages', () => {
  it('have the same keys and values, none empty', () => {
    expect(Object.keys(zhCN).sort()).to.deep.equal(Object.keys(en).sort())
    for (const [key, text] of Object.entries(en)) {
      const other = zhCN[key as keyof typeof en]
      expect(other.trim(), key).to.not.equal('')
      expect(names(other), key).to.deep.equal(names(text))
    }
  })

  it('fill in values and keep unknown names visible', () => {
    expect(fill('{a} of {b}', { a: 1 })).to.equal('1 of {b}')
    expect(fill('{a}', { a: '{b}' })).to.equal('{b}')
  })

  it('have no unused text', async () => {
    const files = (await readdir(join(consoleRoot, 'src'), { recursive: true })).filter(
      (file) => /(?<!\.test)\.tsx?$/.test(file) && !file.startsWith('locales'),
    )
    const source = (await Promise.all(files.map((file) => readFile(join(consoleRoot, 'src', file), 'utf8')))).join('\n')
    const built = [...source.matchAll(/`([a-z.-]+)\.\$\{/gi)].map((match) => `${match[1]}.`)
    const unused = Object.keys(en).filter(
      (key) => !source.includes(`'${key}'`) && !built.some((prefix) => key.startsWith(prefix)),
    )
    expect(unused).to.deep.equal([])
  })
})
