// Tests the check of imports.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { checkArrows, importsOf } from './check-arrows.mjs'
import { root } from './lib.mjs'

describe('the check of imports', () => {
  let folder
  afterEach(() => folder && rmSync(folder, { recursive: true, force: true }))

  function check(files) {
    folder = mkdtempSync(join(tmpdir(), 'mynah-arrows-'))
    const packages = new Set(Object.keys(files).map((file) => /^(plugins\/[^/]+|[^/]+)/.exec(file)[0]))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ workspaces: [...packages] }))
    for (const name of packages) files[`${name}/package.json`] ??= '{}'
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
    return checkArrows(folder)
  }

  it('reads every form of import, and no comments', () => {
    const text =
      "// import 'no'\n/* import 'no' */\nimport a from 'a'\nimport {\n  b,\n  type C,\n} from 'b'\nimport type { D } from 'd'\nexport * from 'e'\nexport type { F } from 'f'\nimport 'g'\nconst h = await import('h')\n"
    expect(importsOf(text)).to.deep.equal([
      { to: 'a', type: false, lazy: false },
      { to: 'b', type: false, lazy: false },
      { to: 'd', type: true, lazy: false },
      { to: 'e', type: false, lazy: false },
      { to: 'f', type: true, lazy: false },
      { to: 'g', type: false, lazy: false },
      { to: 'h', type: false, lazy: true },
    ])
  })

  it('takes no string for a comment', () => {
    expect(
      importsOf(
        "const all = 'plugins/*'\nconst a = await import('a')\n/** Hidden: import('no') */\nconst b = `\nimport 'no'\n`\n",
      ).map(({ to }) => to),
    ).to.deep.equal(['a'])
  })

  it('refuses what the arrows forbid', () => {
    for (const [file, text] of [
      ['kernel/src/a.ts', "import { contract } from '@mynah/contract'"],
      ['contract/src/a.ts', "import type { Host } from '@mynah/kernel'"],
      ['database-api/src/a.ts', "import plugin from '@mynah/plugin-database'"],
      ['sdk/src/a.ts', "import { Host } from '@mynah/kernel'"],
      ['console/src/a.tsx', "import { x } from '@mynah/contract'"],
      ['plugins/a/src/a.ts', "import b from '@mynah/plugin-b'"],
      ['plugins/a/src/a.ts', "import b from '../../b/src/index.js'"],
      ['plugins/a/src/a.ts', "const { sdk } = await import('@mynah/sdk')"],
      ['plugins/a/src/a.ts', "export type { B } from '@mynah/plugin-b/testing'"],
      ['plugins/a/src/a.ts', "let b: import('@mynah/plugin-b').B"],
      ['plugins/a/src/a.test.ts', "import { b } from '../../b/dist/inner.js'"],
      ['plugins/a/src/test/a.ts', "import { b } from '@mynah/plugin-b/dist/inner.js'"],
      ['plugins/a/client/a.tsx', "import { Host } from '@mynah/kernel'"],
      ['plugins/a/client/a.tsx', "import { x } from '../src/contract.js'"],
    ]) {
      expect(check({ [file]: text }), `${file}: ${text}`).to.have.length(1)
      rmSync(folder, { recursive: true })
    }
  })

  it('allows the other imports, and whole plugins in tests', () => {
    expect(
      check({
        'plugins/a/src/a.ts':
          "import { b } from '@mynah/plugin-b/api'\nimport { definePlugin } from '@mynah/kernel'\nimport Koa from 'koa'",
        'plugins/a/src/a.test.ts':
          "import b from '@mynah/plugin-b'\nimport { contract } from '@mynah/plugin-b/testing'",
        'plugins/a/client/a.tsx': "import type { x } from '../src/contract.js'\nimport { client } from '@mynah/sdk'",
        'console/src/a.ts': "import type { x } from '@mynah/contract/types'\nimport { y } from '@mynah/contract/wire'",
      }),
    ).to.deep.equal([])
  })

  it('refuses an api that loads something heavy, also through another file', () => {
    const found = check({
      'plugins/a/src/api.ts': "export * from './inner.js'",
      'plugins/a/src/inner.ts': "import Koa from 'koa'\nimport type { X } from 'typeorm'",
    })
    expect(found).to.have.length(1)
    expect(found[0]).to.contain('koa')
    rmSync(folder, { recursive: true })
    expect(
      check({
        'plugins/a/src/api.ts': "export { b } from './inner.js'",
        'plugins/a/src/inner.ts': "import a from './index.js'",
        'plugins/a/src/index.ts': '',
      }),
    ).to.have.length(1)
  })

  it('refuses circles at run time, also between packages', () => {
    expect(check({ 'kernel/src/a.ts': "import './b.js'", 'kernel/src/b.ts': "import './a.js'" })).to.deep.equal([
      'a circle: kernel/src/a.ts → kernel/src/b.ts → kernel/src/a.ts',
    ])
    rmSync(folder, { recursive: true })
    expect(
      check({
        'plugins/a/src/api.ts': "import '@mynah/plugin-b/api'",
        'plugins/b/src/api.ts': "import '@mynah/plugin-a/api'",
      }),
    ).to.have.length(1)
    rmSync(folder, { recursive: true })
  })

  it('refuses circles of types and of what is loaded later', () => {
    expect(
      check({ 'kernel/src/a.ts': "import './b.js'", 'kernel/src/b.ts': "import type { A } from './a.js'" }),
    ).to.deep.equal(['a circle of types or later imports: kernel/src/a.ts → kernel/src/b.ts → kernel/src/a.ts'])
    rmSync(folder, { recursive: true })
    expect(
      check({
        'kernel/src/a.ts': "import type { B } from './b.js'",
        'kernel/src/b.ts': "import type { C } from './c.js'",
        'kernel/src/c.ts': "export type { A } from './a.js'",
      }),
    ).to.have.length(1)
    rmSync(folder, { recursive: true })
    expect(
      check({ 'plugins/a/src/a.ts': "import './b.js'", 'plugins/a/src/b.ts': "const a = await import('./a.js')" }),
    ).to.have.length(1)
    rmSync(folder, { recursive: true })
    expect(
      check({
        'kernel/src/a.ts': "import type { B } from './b.js'",
        'kernel/src/b.ts': "import './c.js'",
        'kernel/src/c.ts': '',
      }),
    ).to.deep.equal([])
  })

  it('refuses circles of the console too, of pages that load each other later as well', () => {
    expect(
      check({ 'console/src/a.ts': "import './b.js'", 'console/src/b.ts': "const a = await import('./a.js')" }),
    ).to.have.length(1)
    rmSync(folder, { recursive: true })
    expect(
      check({ 'console/src/a.ts': "import './b.js'", 'console/src/b.ts': "import type { A } from './a.js'" }),
    ).to.have.length(1)
  })

  it('finds nothing in this repository', () => {
    expect(checkArrows(root)).to.deep.equal([])
  })
})
