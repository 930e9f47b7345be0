// Tests the check that manifests name what their packages import.
import { expect } from 'chai'
import { checkImports, importFaults } from './check-imports.mjs'

describe('the check of manifests', () => {
  const manifest = {
    name: '@mynah/plugin-a',
    dependencies: { koa: '3.0.0' },
    peerDependencies: { '@mynah/kernel': '1.0.0' },
    devDependencies: { yaml: '2.0.0' },
  }
  const faults = (text, allowed) => importFaults(manifest, [['src/a.ts', text]], allowed)

  it('accepts dependencies, peers, modules of Node, files and the package itself', () => {
    expect(
      faults(
        "import Koa from 'koa'\nimport x from 'koa/lib/x.js'\nimport { definePlugin } from '@mynah/kernel'\nimport { join } from 'node:path'\nimport fs from 'fs/promises'\nimport './b.js'\nimport '@mynah/plugin-a/api'\n",
      ),
    ).to.deep.equal([])
  })

  it('names a package that only the workspace has, once, also for types and later imports', () => {
    for (const text of [
      "import sdk from '@scope/sdk/client/index.js'\nimport '@scope/sdk'",
      "import type { Client } from '@scope/sdk'",
      "const sdk = await import('@scope/sdk')",
    ])
      expect(faults(text), text).to.deep.equal([
        '@mynah/plugin-a: src/a.ts imports "@scope/sdk", which its package.json does not name',
      ])
  })

  it('refuses a package that only its own tests install', () => {
    expect(faults("import { parse } from 'yaml'")).to.have.length(1)
    expect(faults("import { parse } from 'yaml'", ['yaml'])).to.deep.equal([])
  })

  it('finds nothing in this repository', () => {
    expect(checkImports()).to.deep.equal([])
  })
})
