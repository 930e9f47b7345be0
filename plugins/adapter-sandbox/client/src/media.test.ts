// What a message may make a browser open.
import { expect } from 'chai'
import { cardOf, mediumOf, sourceOf, webAddress } from './media.js'

describe('an address in a message', () => {
  it('is opened when it is of the web', () => {
    expect(webAddress('https://example.org/a b')).to.equal('https://example.org/a%20b')
    expect(mediumOf({ file: 'http://example.org/cat.png' })).to.deep.equal({
      kind: 'web',
      href: 'http://example.org/cat.png',
      host: 'example.org',
    })
  })

  it('is refused when it is of anything else', () => {
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
      expect(webAddress(address), String(address)).to.equal(undefined)
      expect(mediumOf({ url: address }), String(address)).to.equal(undefined)
    }
  })

  it('may be bytes, of a kind that is a kind', () => {
    const bytes = 'aGk='
    expect(mediumOf({ base64: bytes, mime: 'image/gif' })).to.deep.equal({
      kind: 'inline',
      href: `data:image/gif;base64,${bytes}`,
    })
    expect(mediumOf({ url: `data:image/png;base64,${bytes}` })).to.deep.equal({
      kind: 'inline',
      href: `data:image/png;base64,${bytes}`,
    })
    expect(mediumOf({ file: `base64://${bytes}` }, 'image/png')).to.deep.equal({
      kind: 'inline',
      href: `data:image/png;base64,${bytes}`,
    })
    expect(mediumOf({ base64: bytes, mime: 'text/html,<script>' })).to.deep.equal({
      kind: 'inline',
      href: `data:application/octet-stream;base64,${bytes}`,
    })
    expect(mediumOf({ base64: 'not base64 <>' })).to.equal(undefined)
  })
})

describe('formatted text', () => {
  it('is shown as it was written, whatever it is called', () => {
    expect(
      [{ markdown: '*a*' }, { html: '<b>b</b>' }, { html: '<b>c</b>', text: 'c' }, { content: 'd' }, { html: {} }].map(
        sourceOf,
      ),
    ).to.deep.equal(['*a*', '<b>b</b>', 'c', 'd', ''])
  })
})

describe('a card', () => {
  it('is shown as far as it makes sense', () => {
    expect(
      cardOf({
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
    expect(cardOf({ fields: 'no', buttons: { length: 3 } })).to.deep.include({ fields: [], buttons: [] })
  })
})
