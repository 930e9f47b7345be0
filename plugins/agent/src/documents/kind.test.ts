import { expect } from 'chai'
import { misnomerOf } from './kind.js'
import { docx, paragraph, pdf } from './test/files.js'

const said = (bytes: Uint8Array, name: string): string | undefined => misnomerOf({ bytes, name, mediaType: '' })

describe('misnomerOf', () => {
  it('says what a file is in place of what its name says', () => {
    const html = Buffer.from('<html><body>a')
    expect(said(html, 'a.pdf')).to.equal('its name says that it is a PDF, but it is HTML')
    expect(said(html, 'a.xls')).to.equal('its name says that it is a document of Office before 2007, but it is HTML')
    expect(said(Buffer.from('a,b'), 'a.docx')).to.equal('its name says that it is a document of Office, but it is text')
    expect(said(pdf(['a']), 'a.txt')).to.equal('its name says that it is text, but it is a PDF')
    expect(said(pdf(['a']), 'a.png')).to.equal('its name says that it is a picture, but it is a PDF')
    expect(said(Buffer.from([1, 0, 2]), 'a.csv')).to.equal('its name says that it is text, but it is none')
  })

  it('is silent where the name is right, or says nothing', () => {
    expect(said(pdf(['a']), 'a.pdf')).to.equal(undefined)
    expect(said(docx(paragraph('a')), 'a.docx')).to.equal(undefined)
    expect(said(Buffer.from('a,b'), 'a.csv')).to.equal(undefined)
    expect(said(Buffer.from('a,b'), 'a')).to.equal(undefined)
    expect(said(Buffer.from([1, 0, 2]), 'a.bin')).to.equal(undefined)
  })
})
