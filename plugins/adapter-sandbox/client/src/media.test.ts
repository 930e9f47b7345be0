import { expect } from 'chai'
import { parseCard, mediaSource, formattedSource, webUrl } from './media.js'

describe('mediaSource', () => {
  it('returns addresses of the web', () => {
    expect(webUrl('https://example.org/a b')).to.equal('https://example.org/a%20b')
    expect(mediaSource({ file: 'http://example.org/cat.png' })).to.deep.equal({
      kind: 'web',
      href: 'http://example.org/cat.png',
      host: 'example.org',
    })
  })

  it('rejects all other addresses', () => {
    for (const address of [
      'javascript:alert(1)',
      ' JavaScript:alert(1)',
      'file:///etc/passwd',
      'data:text/html,<script>',
      'blob:x',
      '/relative',
      '',
      7,
      null,
      undefined,
      {},
    ]) {
      expect(webUrl(address), String(address)).to.equal(undefined)
      expect(mediaSource({ url: address }), String(address)).to.equal(undefined)
    }
  })

  it('returns bytes, with a valid type only', () => {
    const bytes = 'aGk='
    expect(mediaSource({ base64: bytes, mime: 'image/gif' })).to.deep.equal({
      kind: 'inline',
      href: `data:image/gif;base64,${bytes}`,
    })
    expect(mediaSource({ url: `data:image/png;base64,${bytes}` })).to.deep.equal({
      kind: 'inline',
      href: `data:image/png;base64,${bytes}`,
    })
    expect(mediaSource({ file: `base64://${bytes}` }, 'image/png')).to.deep.equal({
      kind: 'inline',
      href: `data:image/png;base64,${bytes}`,
    })
    expect(mediaSource({ base64: bytes, mime: 'text/html,<script>' })).to.deep.equal({
      kind: 'inline',
      href: `data:application/octet-stream;base64,${bytes}`,
    })
    expect(mediaSource({ base64: 'not base64 <>' })).to.equal(undefined)
  })
})

describe('formattedSource', () => {
  it('returns the source from any of its fields', () => {
    expect(
      [{ markdown: '*a*' }, { html: '<b>b</b>' }, { html: '<b>c</b>', text: 'c' }, { content: 'd' }, { html: {} }].map(
        formattedSource,
      ),
    ).to.deep.equal(['*a*', '<b>b</b>', 'c', 'd', ''])
  })
})

describe('parseCard', () => {
  it('leaves out invalid parts', () => {
    expect(
      parseCard({
        title: 'T',
        fields: [{ name: 'a', value: 1, inline: true }, null, 'x'],
        buttons: [
          { text: 'Go', url: 'https://example.org' },
          { text: 'Trap', url: 'javascript:alert(1)' },
          { command: '/help' },
        ],
      }),
    ).to.deep.equal({
      title: 'T',
      text: '',
      image: undefined,
      fields: [{ name: 'a', value: '1', inline: true }],
      buttons: [{ text: 'Go', href: 'https://example.org/' }, { text: 'Trap' }, { text: '/help', command: '/help' }],
    })
    expect(parseCard({ fields: 'no', buttons: { length: 3 } })).to.deep.include({ fields: [], buttons: [] })
  })
})
