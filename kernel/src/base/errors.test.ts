// docs/errors.md shows the catalogue of the kernel, code by code.
import { expect } from 'chai'
import { readFile } from 'node:fs/promises'
import { KernelError, kernelErrors, type KernelCode } from '../index.js'

describe('kernelErrors', () => {
  it('is what docs/errors.md shows, with the same remedies', async () => {
    const text = await readFile(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
    const section = text.slice(text.indexOf('## Kernel')).split(/\n## /)[0] as string
    const rows = Array.from(section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm), ([, code, remedy]) => [
      code,
      remedy?.replaceAll('\\|', '|'),
    ])
    expect(Object.fromEntries(rows)).to.deep.equal(kernelErrors)
    expect(rows).to.have.length(Object.keys(kernelErrors).length)
  })

  it('gives each error its remedy', () => {
    for (const code of Object.keys(kernelErrors) as KernelCode[])
      expect(new KernelError(code, 'x').hint).to.be.a('string').with.length.above(10)
  })
})
