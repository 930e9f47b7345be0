// Documents as programs write them, made by hand.
import { strToU8, zipSync } from 'fflate'

/** Returns a PDF with a text on each page. `pages` are further objects in place of these. */
export function pdf(texts: readonly string[], { count = texts.length }: { readonly count?: number } = {}): Buffer {
  const kids = texts.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...texts.flatMap((text, index) => {
      const lines = text.split('\n').map((line) => `(${line}) Tj 0 -20 Td`)
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + index * 2} 0 R ` +
          '/Resources << /Font << /F 3 0 R >> >> >>',
        stream(`BT /F 12 Tf 72 700 Td ${lines.join(' ')} ET`),
      ]
    }),
  ]
  return pdfOf(objects)
}

/** Returns a stream of a PDF. */
export const stream = (content: string, dictionary = ''): string =>
  `<< ${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`

/** Returns a PDF of objects, of which the first is the catalogue. */
export function pdfOf(objects: readonly string[], trailer = ''): Buffer {
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`)
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF`
  return Buffer.from(body + table + end, 'latin1')
}

/** Returns an archive of files. */
export const zip = (files: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([path, file]) => [path, typeof file === 'string' ? strToU8(file) : file]),
      ),
    ),
  )

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
/** Returns a Word document with a body. */
export const docx = (body: string): Buffer =>
  zip({
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
  })

/** Returns a paragraph of a Word document. */
export const paragraph = (text: string, properties = ''): string =>
  `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

/** Returns a workbook. */
export function xlsx(
  sheets: Readonly<Record<string, string>>,
  { shared = '', styles = '' }: { readonly shared?: string; readonly styles?: string } = {},
): Buffer {
  const names = Object.keys(sheets)
  return zip({
    'xl/workbook.xml': `<workbook><sheets>${names
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`)
      .join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  })
}

/** Returns a Word document whose only file has `size` zeros. */
export const zipBomb = (size: number): Buffer => zip({ 'word/document.xml': new Uint8Array(size) })

/** Returns an e-mail with an attachment. */
export const email = (attachment: {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}): Buffer =>
  Buffer.from(
    [
      'From: "Rosa Plum" <rosa@garden.example>',
      'To: bot@garden.example',
      'Subject: =?utf-8?q?The_pl=C3=BCms?=',
      'Date: Mon, 2 Mar 2026 10:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<style>p { color: red }</style><p>They are <b>ripe</b>.</p><p>Come soon</p>',
      '--b',
      `Content-Type: ${attachment.type}; name="${attachment.name}"`,
      `Content-Disposition: attachment; filename="${attachment.name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(attachment.bytes).toString('base64'),
      '--b--',
      '',
    ].join('\r\n'),
  )
