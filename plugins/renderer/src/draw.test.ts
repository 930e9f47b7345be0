import { createRequire } from 'node:module'
import { expect } from 'chai'
import { html, markdown, pixelsOf, refusal } from './test/support.js'

describe('draw with Markdown', () => {
  it('uses the configured width and scale', async () => {
    const small = await markdown('# Title\n\nSome *words*.')
    expect(pixelsOf(small).at(0, 0)).to.equal('#ffffff')
    expect(pixelsOf(small).count('#1f2328')).to.be.greaterThan(100)
    expect(small.width).to.equal(480)
    const large = await markdown('# Title\n\nSome *words*.', { scale: 2 })
    expect([large.width, Math.abs(large.height - 2 * small.height) <= 1]).to.deep.equal([960, true])
  })

  it('draws light text on a dark background in the dark theme', async () => {
    const pixels = pixelsOf(await markdown('words', { theme: 'dark' }))
    expect(pixels.at(0, 0)).to.equal('#16181d')
    expect(pixels.count('#e6e8eb')).to.be.greaterThan(20)
  })

  it('draws tables, code, lists, quotes and rules below each other', async () => {
    const parts = [
      '| a | b |\n|---|--:|\n| 1 | 2 |',
      '```\nif (x)\n  y\n```',
      '- one\n- two\n  1. three',
      '> said',
      '---',
      'end',
    ]
    let before = 0
    for (let count = 1; count <= parts.length; count++) {
      const { height } = await markdown(parts.slice(0, count).join('\n\n'))
      expect(height, parts[count - 1]).to.be.greaterThan(before)
      before = height
    }
    expect(pixelsOf(await markdown(parts[0] as string)).count('#d1d9e0')).to.be.greaterThan(400)
    expect(pixelsOf(await markdown(parts[1] as string)).count('#f2f4f7')).to.be.greaterThan(5_000)
  })

  it('wraps words of several styles, and keeps the lines of code', async () => {
    const one = await markdown('**bold** and more')
    const many = await markdown('**bold** and *more* '.repeat(20))
    expect(many.height).to.be.greaterThan(one.height + 60)
    const lines = await Promise.all([1, 2, 3].map((count) => markdown(`\`\`\`\n${'x\n'.repeat(count)}\`\`\``)))
    const [first, second, third] = lines.map(({ height }) => height) as [number, number, number]
    expect([second > first, Math.abs(third - 2 * second + first) <= 1]).to.deep.equal([true, true])
  })

  it('draws harmless HTML inside of Markdown', async () => {
    const pixels = pixelsOf(
      await markdown('before <span style="background-color: #ff0000">red</span><script>alert(1)</script>'),
    )
    expect(pixels.count('#ff0000')).to.be.greaterThan(100)
  })
})

describe('draw with HTML', () => {
  it('draws boxes side by side in their colours and sizes', async () => {
    const pixels = pixelsOf(
      await html(
        '<div style="display:flex"><div style="width:50%;height:60px;background:#00ff00">a</div><div style="width:50%;height:60px;background:#0000ff">b</div></div>',
        { theme: 'dark' },
      ),
    )
    expect(pixels.at(0, 0)).to.equal('#ffffff')
    expect([pixels.count('#00ff00') > 10_000, pixels.count('#0000ff') > 10_000]).to.deep.equal([true, true])
    expect(pixels.at(200, 80)).to.equal('#00ff00')
    expect(pixels.at(280, 80)).to.equal('#0000ff')
  })

  it('limits the size of the picture', async () => {
    const image = await html(
      '<p style="width:99999px;height:99999px;font-size:9999px;padding:99999px;margin:-50px">W</p>',
    )
    expect([image.width, image.height < 4_000]).to.deep.equal([480, true])
  })

  it('leaves out hidden elements', async () => {
    const shown = await html('<p>a</p>')
    expect((await html('<p>a</p><div style="display: none"><p>b</p><p>c</p></div>')).height).to.equal(shown.height)
  })
})

describe('draw with configured fonts', () => {
  const file = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf')

  it('takes glyphs that the included font lacks', async () => {
    expect(await refusal(markdown('\u{1d50a}')))
      .to.include('unsupported: No font has a glyph for "\u{1d50a}"')
      .and.include('renderer.fonts')
    expect(pixelsOf(await markdown('\u{1d50a}', { fonts: [file] })).count('#1f2328')).to.be.greaterThan(5)
  })

  it('names the option of an unreadable font, without its path', async () => {
    const said = await refusal(markdown('x', { fonts: [file, '/nowhere/x.ttf'] }))
    expect(said).to.equal('invalid_request:config: renderer.fonts[1] cannot be read (ENOENT)')
  })
})
