// Tests the check of the names of tests with a browser.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { pageTestFaults } from './check-page-tests.mjs'
import { root } from './lib.mjs'

describe('the check of tests with a browser', () => {
  let folder
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mynah-page-tests-'))
    write('package.json', '{"workspaces":["console","plugins/*"]}')
    write('console/package.json', '{}')
    write('plugins/a/package.json', '{}')
    write('console/test/browser.ts', "import { chromium } from 'playwright-core'\n")
    write('console/test/bench.ts', "import { launch } from './browser.js'\n")
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const write = (file, text) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }

  it('names a test that starts one by what it imports, also from a compiled module', () => {
    write('test/src/page.test.ts', "import { useBench } from '../../console/test/dist/test/bench.js'\n")
    write('console/test/without-browser/a.test.ts', "import { useBench } from '../bench.js'\n")
    write('plugins/a/src/b.test.ts', `await resolveOnDemand(${"'firefox'"}, 'puppeteer-core')\n`)
    expect(pageTestFaults(folder).map((line) => line.split(' ')[0])).to.have.members([
      'test/src/page.test.ts',
      'console/test/without-browser/a.test.ts',
      'plugins/a/src/b.test.ts',
    ])
  })

  it('accepts those of the console and those with the name, and tests that import only types', () => {
    write('console/test/focus.test.ts', "import { useBench } from './bench.js'\n")
    write('test/src/sandbox.page.test.ts', "import { useBench } from '../../console/test/dist/test/bench.js'\n")
    write('plugins/a/src/b.test.ts', "import type { Page } from 'playwright-core'\n")
    expect(pageTestFaults(folder)).to.deep.equal([])
  })

  it('finds nothing in this repository', () => {
    expect(pageTestFaults(root)).to.deep.equal([])
  })
})
