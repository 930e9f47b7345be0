import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createDeflate, deflateSync } from 'node:zlib'
import { expect } from 'chai'
import type { Clock } from '@mynah/kernel'
import { TestClock, until } from '@mynah/kernel/testing'
import { DocumentReader, type DocumentText } from './reader.js'
import { docx, email, paragraph, pdf, pdfOf, stream, xlsx, zip, zipBomb } from './test/files.js'

const log = { debug() {} } as never
const quiet = { chat: 'a', signal: new AbortController().signal }
const plums = { bytes: Buffer.from('plums'), name: 'a.csv', mediaType: '' }
const readerWith = (clock: Clock): DocumentReader => new DocumentReader({ clock, log })
const read = (bytes: Uint8Array, name: string, mediaType = ''): Promise<DocumentText | undefined> =>
  readerWith(new TestClock()).read({ bytes, name, mediaType }, quiet)
const textOf = async (bytes: Uint8Array, name: string, mediaType = ''): Promise<string | undefined> =>
  (await read(bytes, name, mediaType))?.text

const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const CATALOGUE = '<< /Type /Catalog /Pages 2 0 R >>'

/** Returns a PDF whose content is too much for its reader. It is made in pieces, so that this process stays small. */
async function pdfBomb(): Promise<Buffer> {
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>'
  const piece = Buffer.alloc(1_000_000, ' ')
  const pieces = Readable.from(Array(400).fill(piece)).pipe(createDeflate({ level: 1 }))
  const twice = deflateSync(await buffer(pieces)).toString('latin1')
  return pdfOf([CATALOGUE, PAGES, page, stream(twice, '/Filter [/FlateDecode /FlateDecode]')])
}

describe('DocumentReader', () => {
  it('reads the pages of a PDF with a mark for each', async () => {
    expect(await read(pdf(['ten plums\nand two', 'a kite']), 'list')).to.deep.equal({
      text: '[page 1 of 2]\nten plums\nand two\n\n[page 2 of 2]\na kite',
      parts: ['[page 1 of 2]\nten plums\nand two', '[page 2 of 2]\na kite'],
      pages: 2,
    })
  })

  it('reads a Word document: headings, tables, and the pages that its program has stored', async () => {
    const heading = paragraph('Plums', '<w:pPr><w:pStyle w:val="Heading2"/></w:pPr>')
    const row = `<w:tbl><w:tr><w:tc>${paragraph('a')}</w:tc><w:tc>${paragraph('b')}</w:tc></w:tr></w:tbl>`
    const old = `<mc:Fallback>${paragraph('for old programs')}</mc:Fallback>`
    const next = `<w:p><w:r><w:lastRenderedPageBreak/><w:t>x &amp; y</w:t></w:r></w:p>`
    expect(await textOf(docx(heading + old + row + next), 'list.docx')).to.equal(
      '[page 1]\n## Plums\na\tb\n\n[page 2]\nx & y',
    )
    expect(await textOf(docx(paragraph('one page')), 'a.docx')).to.equal('one page')
  })

  it('reads each sheet of a workbook: texts, numbers, dates and empty cells', async () => {
    const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1"><v>3.5</v></c><c r="D1" s="1"><v>46000</v></c></row>
      <row r="2"><c t="inlineStr"><is><t>a&#10;b</t></is></c><c t="b"><v>1</v></c><c s="2"><v>46000.5</v></c></row>`
    const bytes = xlsx(
      { Plums: rows, 'Sheet 2': '<row><c><v>1</v></c></row>' },
      {
        shared: '<si><r><t>ripe </t></r><r><t>plum</t></r><rPh><t>PLUM</t></rPh></si>',
        styles:
          '<numFmts><numFmt numFmtId="170" formatCode="[Red]dd.mm.yy hh:mm"/></numFmts>' +
          '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs>',
      },
    )
    expect(await textOf(bytes, 'plums.xlsx')).to.equal(
      '[sheet Plums]\nripe plum\t\t3.5\t2025-12-09\na b\tTRUE\t2025-12-09 12:00\n\n[sheet Sheet 2]\n1',
    )
  })

  it('reads what people see of HTML', async () => {
    const html = '<title>T</title><h1>Plums</h1><script>no</script><ul><li>a</li><li>b &lt;</li></ul>1<br>2'
    expect(await textOf(Buffer.from(html), 'a.HTM')).to.equal('T\n\n# Plums\n\n- a\n- b <\n\n1\n2')
  })

  it('reads plain texts in the encoding of their bytes', async () => {
    expect(await textOf(Buffer.from('a;b\n1;ü\n', 'latin1'), 'list.csv')).to.equal('a;b\n1;ü')
    expect(await textOf(Buffer.from('\ufeffa,ü', 'utf16le'), 'list.csv')).to.equal('a,ü')
    expect(await textOf(Buffer.from('a,ü'), 'x', 'text/csv; charset=utf-8')).to.equal('a,ü')
  })

  it('reads a table in an encoding that it does not name, and says what is a guess', async () => {
    const table = Buffer.from('c3fbb3c62ccafdc1bf2cbcdbb8f10ac6bbb9fb2c332c352e30300acfe3bdb62c31322c322e35300a', 'hex')
    expect(await read(table, 'table.csv')).to.include({ text: '名称,数量,价格\n苹果,3,5.00\n香蕉,12,2.50' })
    const short = await read(Buffer.from('a;\xfc', 'latin1'), 'a.txt')
    expect(short?.problem).to.equal('its encoding is unknown, and letters may be wrong: it was read as windows-1252')
    expect(short?.text).to.equal('a;ü')
  })

  it('reads a file that is not what its name says as what it is', async () => {
    expect(await textOf(Buffer.from('<table><tr><td>a<td>b</table>'), 'report.xls')).to.match(/a\W+b/)
    expect(await textOf(Buffer.from('a,b\n1,2\n'), 'report.xlsx')).to.equal('a,b\n1,2')
    expect(await textOf(Buffer.from('<!doctype html><p>not found'), 'paper.pdf')).to.equal('not found')
    expect(await textOf(pdf(['plums']), 'notes.txt')).to.include('plums')
  })

  it('reads an e-mail with its attachments, but none of an e-mail within it', async () => {
    const attached = { name: 'list.pdf', type: 'application/pdf', bytes: pdf(['ten plums']) }
    const mail = email(attached)
    const text = (await textOf(mail, 'mail.eml')) ?? ''
    for (const part of ['From: Rosa Plum <rosa@garden.example>', 'Subject: The plüms', 'They are ripe.\n\nCome soon'])
      expect(text).to.include(part)
    expect(text).to.include('[attachment list.pdf, application/pdf, ').and.include('[page 1 of 1]\nten plums')
    expect(text).to.not.include('color')
    const outer = await textOf(email({ name: 'in.eml', type: 'application/octet-stream', bytes: mail }), 'out.eml')
    expect(outer).to.include('[attachment list.pdf').and.not.include('ten plums')
  })

  it('leaves files alone that are no documents, whatever they are called', async () => {
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0])
    for (const [bytes, name] of [
      [picture, 'list.csv'],
      [docx(paragraph('a')), 'skills.zip'],
      [Buffer.from('#!/bin/sh'), 'run'],
    ] as const)
      expect(await read(bytes, name)).to.equal(undefined)
  })

  it('says what it cannot read', async () => {
    const problems = {
      'it is damaged': [Buffer.from('%PDF-1.4 nothing'), 'a.pdf'],
      'it is no document of Word or Excel': [zip({ 'a.txt': 'a' }), 'a.docx'],
      'its pages have no text, they may be pictures': [pdf(['']), 'a.pdf'],
      'there is no text in it': [Buffer.from('<script>x</script>'), 'a.html'],
      'it is in a format of Office before 2007, or has a password; saved as DOCX, XLSX or PDF it can be read': [
        Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
        'a.doc',
      ],
    } as const
    for (const [problem, [bytes, name]] of Object.entries(problems))
      expect((await read(bytes, name))?.problem).to.equal(problem)
  })

  it('reads 200 pages, and says how many there are', async () => {
    const { pages, problem } = (await read(pdf(Array(230).fill('x')), 'a.pdf')) as DocumentText
    expect([pages, problem]).to.deep.equal([200, 'only 200 of 230 pages were read'])
    const sheets = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`s${at}`, '<row><c><v>1</v></c></row>']))
    expect((await read(xlsx(sheets), 'a.xlsx'))?.problem).to.equal('only 200 pages were read')
  })

  it('ends with what a PDF has where its tree has circles, or fewer pages than it says', async () => {
    expect(await textOf(pdf(['ten plums'], { count: 1_000_000_000 }), 'a.pdf')).to.include('ten plums')
    const circle = pdfOf([CATALOGUE, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>'])
    expect((await read(circle, 'a.pdf'))?.problem).to.be.a('string')
    const form = '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>'
    const itself = pdfOf([
      CATALOGUE,
      PAGES,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>',
      stream('/X Do'),
      stream('/X Do /X Do', form),
    ])
    expect((await read(itself, 'a.pdf'))?.problem).to.be.a('string')
  })

  it('unpacks no zip bomb, and none that hides its size', async () => {
    const bomb = zipBomb(70_000_000)
    expect(await read(bomb, 'a.docx')).to.deep.equal({
      text: '',
      parts: [],
      pages: 0,
      problem: 'it is too large when it is unpacked',
    })
    const size = Buffer.alloc(4)
    size.writeUInt32LE(70_000_000)
    for (let at = bomb.indexOf(size); at >= 0; at = bomb.indexOf(size)) bomb.writeUInt32LE(1_000, at)
    expect((await read(bomb, 'a.docx'))?.text.length).to.be.below(1_001)
  })

  it('ends after 10 s with the pages so far, and reads the next document', async () => {
    const clock = new TestClock()
    const reader = readerWith(clock)
    const bomb = { bytes: await pdfBomb(), name: 'a.pdf', mediaType: '' }
    let ended: DocumentText | undefined
    const reading = ['a', 'b'].map((chat) => reader.read(bomb, { ...quiet, chat }))
    void Promise.any(reading).then((first) => (ended = first))
    const next = reader.read(plums, quiet)
    await until(() => clock.pending === 2)
    await clock.advance(10_000)
    await until(() => ended !== undefined)
    expect(ended?.problem).to.equal('it was not read to its end in 10 s')
    await Promise.all(reading)
    expect((await next)?.text).to.equal('plums')
  })

  it('ends with its turn, also while it waits for another document', async () => {
    const clock = new TestClock()
    const reader = readerWith(clock)
    const control = new AbortController()
    const bomb = { bytes: await pdfBomb(), name: 'a.pdf', mediaType: '' }
    const reading = ['a', 'b', 'c'].map((chat) =>
      reader.read(bomb, { chat, signal: control.signal }).catch((error: unknown) => error),
    )
    // One waits, two have their process.
    await until(() => clock.pending === 2)
    control.abort('stopped')
    expect(await Promise.all(reading)).to.deep.equal(['stopped', 'stopped', 'stopped'])
    expect(await reader.read(plums, quiet)).to.deep.equal({ text: 'plums', parts: ['plums'], pages: 1 })
  })

  it('reads one document of a chat at a time, and lets another chat pass', async () => {
    const clock = new TestClock()
    const reader = readerWith(clock)
    const control = new AbortController()
    const bomb = { bytes: await pdfBomb(), name: 'a.pdf', mediaType: '' }
    const busy = { chat: 'busy', signal: control.signal }
    const reading = [1, 2, 3].map(() => reader.read(bomb, busy).catch((error: unknown) => error))
    await until(() => clock.pending === 1)
    expect((await reader.read(plums, { ...quiet, chat: 'other' }))?.text).to.equal('plums')
    expect(clock.pending).to.equal(1)
    control.abort('stopped')
    await Promise.all(reading)
  })

  it('hands over a long page whole, in any alphabet', async () => {
    const line = 'plum, слива, 梅, 🍑 \u0001'
    const text = Array(150_000).fill(line).join('\n')
    expect((await read(Buffer.from(text), 'a.txt'))?.text === text).to.equal(true)
  })
})
