// A message from outside names no file of this machine, and uses no component.
import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import { refuseLocalFiles } from '../api/local-file.js'
import { sanitizeSegments } from '../inbound/sanitize-segments.js'
import { renderSendMessage } from '../outbound/media.js'

describe('segments from outside', () => {
  it('lose local files and keep them as ids', () => {
    for (const file of ['/etc/passwd', 'file:///etc/passwd', 'package.json', '../x', 'C:\\x']) {
      expect(sanitizeSegments([{ type: 'image', data: { file, alt: 'x' } }])).to.deep.equal([
        { type: 'image', data: { alt: 'x', fileId: file } },
      ])
    }
    expect(sanitizeSegments([{ type: 'file', data: { file: { toString: 1 } } }])).to.deep.equal([
      { type: 'file', data: { fileId: { toString: 1 } } },
    ])
  })

  it('lose them whatever they call themselves', () => {
    for (const type of ['text', 'sticker', 'reply', 'anything'])
      expect(sanitizeSegments([{ type, data: { file: '/etc/passwd' } }])).to.deep.equal([
        { type, data: { fileId: '/etc/passwd' } },
      ])
  })

  it('are refused where somebody sends them over the management interface', () => {
    for (const type of ['image', 'file', 'text', 'anything']) {
      for (const file of ['/etc/passwd', 'file:///etc/passwd', 'data/http-token', {}]) {
        expect(() =>
          refuseLocalFiles([
            { type: 'text', data: { text: 'see' } },
            { type, data: { file } },
          ]),
        )
          .to.throw(WireError, 'content[1].data.file must be an address')
          .with.property('code', 'invalid_request')
      }
    }
    for (const content of [
      '/etc/passwd',
      [{ type: 'image', data: { url: 'https://x.test/a.png' } }],
      [{ type: 'image', data: { file: 'https://x.test/a.png' } }],
      [{ type: 'image', data: { base64: 'AA==', name: 'a.png' } }],
    ])
      refuseLocalFiles(content)
  })

  it('keep addresses and bytes', () => {
    const segments = [
      { type: 'image', data: { file: 'https://x.test/a.png' } },
      { type: 'voice', data: { file: 'base64:AAAA' } },
      { type: 'image', data: { url: 'https://x.test/b.png', base64: 'AA==' } },
    ]
    expect(sanitizeSegments(segments)).to.deep.equal(segments)
  })

  it('lose components', () => {
    expect(
      sanitizeSegments([
        { type: 'component', data: { name: 'secret-card' } },
        { type: 'text', data: { text: 'hi' } },
      ]),
    ).to.deep.equal([{ type: 'text', data: { text: 'hi' } }])
  })

  it('pass text through as it is', () => {
    expect(sanitizeSegments('hi')).to.deep.equal([{ type: 'text', data: { text: 'hi' } }])
  })
})

describe('markdown in a reply', () => {
  it('never names a local file', () => {
    for (const text of ['![x](/etc/passwd)', '![x](file:///etc/passwd)', '[audio](./a.mp3)'])
      expect(renderSendMessage(text)).to.deep.equal([{ type: 'text', data: { text } }])
  })
})
