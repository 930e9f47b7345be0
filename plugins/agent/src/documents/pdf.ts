import { DocumentError, MAX_PAGES } from './limits.js'
import type { PageWriter } from './page-writer.js'

/** Pages in a row that fail before the document counts as damaged. */
const MAX_FAILURES = 5

/** Writes the text of each page. */
export async function readPdf(bytes: Uint8Array, writer: PageWriter): Promise<void> {
  const { getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false, enableXfa: false }).catch(
    (error: unknown) => {
      throw (error as Error).name === 'PasswordException' ? new DocumentError('it has a password') : error
    },
  )
  let hasText = false
  let failures = 0
  for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES); number++) {
    const mark = `page ${number} of ${pdf.numPages}`
    try {
      const page = await pdf.getPage(number)
      const { items } = await page.getTextContent()
      page.cleanup()
      const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
      hasText ||= text.trim() !== ''
      failures = 0
      writer.write(text, mark)
    } catch (error) {
      if (error instanceof DocumentError || ++failures === MAX_FAILURES) throw error
      writer.write('[it could not be read]', mark)
    }
  }
  if (!hasText) throw new DocumentError('its pages have no text, they may be pictures')
  if (pdf.numPages > MAX_PAGES) throw new DocumentError(`only ${MAX_PAGES} of ${pdf.numPages} pages were read`)
}
