import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { consoleRoot } from '../site.js'

describe('the sources', () => {
  let sources: { readonly file: string; readonly text: string }[]
  before(async () => {
    const files = (await readdir(join(consoleRoot, 'src'), { recursive: true })).filter((file) =>
      /(?<!\.test)\.tsx?$/.test(file),
    )
    sources = await Promise.all(
      files.map(async (file) => ({ file, text: await readFile(join(consoleRoot, 'src', file), 'utf8') })),
    )
    expect(sources.length).to.be.greaterThan(50)
  })
  const having = (pattern: RegExp): string[] => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

  it('speak to hosts only through the client', () => {
    expect(having(/\bfetch\(|XMLHttpRequest|new EventSource|sendBeacon/)).to.deep.equal([])
  })

  it('never write markup from text', () => {
    expect(having(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/)).to.deep.equal([])
  })

  it('take from the workspace only the client, and types and constants of the contract', () => {
    const imported = new Set(
      sources.flatMap(({ text }) => [...text.matchAll(/from '(@mynah\/[^']+)'/g)].map((match) => match[1])),
    )
    expect([...imported].sort()).to.deep.equal(['@mynah/contract/types', '@mynah/contract/wire', '@mynah/sdk'])
    expect(having(/^import (?!type)[^\n]*'@mynah\/contract\/types'/m)).to.deep.equal([])
  })

  it('create Intl formatters only in the cache', () => {
    expect(having(/new Intl\.|\.toLocale(?:Date|Time)?String\(/)).to.deep.equal(['lib/intl-formats.ts'])
  })

  it('write moments in the form of all pages', () => {
    // A record of the log is the one place that shows a moment in full, with its milliseconds.
    expect(having(/dayOf\([^)]*\)\} \$\{clock|sameDay\([^)]*\)\s*\? (?:clock|time)/)).to.have.members([
      'kit/time-format.ts',
      'pages/logs/record.tsx',
    ])
  })

  it('have at most 300 lines each', () => {
    for (const { file, text } of sources) {
      if (!file.startsWith('locales')) expect(text.split('\n').length, file).to.be.at.most(300)
    }
  })
})
