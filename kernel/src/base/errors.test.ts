import { expect } from 'chai'
import { readFile } from 'node:fs/promises'
import { KernelError, kernelErrors, type KernelCode } from '../index.js'

describe('kernelErrors', () => {
  it('equal the table of docs/errors.md, with the same remedies', async () => {
    const text = await readFile(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
    const section = text.slice(text.indexOf('## Kernel')).split(/\n## /)[0] as string
    const rows = Array.from(section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm), ([, code, remedy]) => [
      code,
      remedy?.replaceAll('\\|', '|'),
    ])
    expect(Object.fromEntries(rows)).to.deep.equal(kernelErrors)
    expect(rows).to.have.length(Object.keys(kernelErrors).length)
  })

  it('have a remedy each', () => {
    for (const code of Object.keys(kernelErrors) as KernelCode[])
      expect(new KernelError(code, 'x').hint).to.be.a('string').with.length.above(10)
  })
})
