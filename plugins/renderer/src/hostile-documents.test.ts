import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import { isElement, type DocumentNode } from './document/node.js'
import { parseHtml } from './document/parse.js'
import { html, markdown, pixelsOf, refusal } from './test/support.js'

describe('hostile documents', () => {
  it('cause no request and no file access', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const image =
        await html(`<link rel="stylesheet" href="${at}/a"><style>@import url(${at}/b)</style><script src="${at}/c"></script><img src="${at}/d" alt="picture"><img src="file:///etc/passwd">
        <div style="background-image:url(${at}/e);background:url('${at}/f')">text</div><iframe src="${at}/g"></iframe><object data="${at}/h"></object><svg><image href="${at}/i"/></svg><video src="${at}/j"></video><input type="image" src="${at}/k">
        <p style="font-family:x;src:url(${at}/l)">end</p><img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='${at}/m'/></svg>">`)
      expect(image.height).to.be.greaterThan(60)
      await markdown(`![x](${at}/n) [y](javascript:alert(1)) <img src="${at}/o">words`)
      expect(asked).to.deep.equal([])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('are cut at 24 levels', async () => {
    const depth = (node: DocumentNode): number => (isElement(node) ? 1 + Math.max(0, ...node.children.map(depth)) : 0)
    const deep = parseHtml(`${'<div>'.repeat(3_000)}deep${'</b>'.repeat(100)}`)
    expect(depth(deep)).to.be.at.most(24)
    expect(pixelsOf(await html(`${'<blockquote>'.repeat(2_000)}deep`)).count('#59636e')).to.be.greaterThan(5)
  })

  for (const [source, why] of [
    ['<i>a</i>'.repeat(2_500), 'too_large: It has more than 4000 pieces'],
    ['a'.repeat(12_001), 'too_large: It has more than 12000 characters of text'],
    ['<p>'.repeat(40_000), 'too_large: It has more than 100000 characters of markup'],
    [`<table><tr>${'<td>x'.repeat(17)}</table>`, 'too_large: It has a table of more than 16 columns'],
    ['<br>a'.repeat(400), 'too_large: It is more than 4000 points high'],
    ['<script>x</script> <p> </p>', 'invalid_request: It has no text'],
    ['漢字 \u{1f980}', 'unsupported: No font has a glyph for'],
    ['שלום', 'unsupported: It has a script that is written from the right'],
  ] as const)
    it(`are refused with ${why}`, async () => {
      expect(await refusal(html(source))).to.include(why)
    })

  it('are drawn or refused, whatever they contain', async () => {
    const pieces = fc.constantFrom(
      '<p>',
      '</p>',
      '<div style="',
      'display:flex;',
      'color:#f00"',
      '>',
      '<table>',
      '<tr>',
      '<td>',
      '</td>',
      '<ul><li>',
      '<b>',
      '</b>',
      '<pre>',
      '<br>',
      '<hr>',
      '&lt;',
      '&#0;',
      '&#xd800;',
      '<!--',
      '<svg>',
      '</svg>',
      '<ol start="7">',
      'word ',
      '\n',
      '\u0000',
      '\ud800',
      '**',
      '| a |\n|---|\n',
      '```',
      '<a href="javascript:1">',
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(html, markdown), fc.array(pieces, { maxLength: 40 }), async (drawn, parts) => {
        const outcome = await refusal(drawn(`${parts.join('')} end`, { width: 240 }))
        expect(outcome === '' || /^(?:too_large|unsupported|invalid_request): /.test(outcome), outcome).to.equal(true)
      }),
      { numRuns: 60 },
    )
  })
})
