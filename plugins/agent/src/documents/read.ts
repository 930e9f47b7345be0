// Reads a document of any kind. It runs in a process of its own, where its libraries are loaded.
import { assertSure, decodeText } from './text-encoding.js'
import { htmlText } from './html.js'
import { documentKind, type Document } from './kind.js'
import { DocumentError } from './limits.js'
import type { PageWriter } from './page-writer.js'

const OLD = 'it is in a format of Office before 2007, or has a password; saved as DOCX, XLSX or PDF it can be read'

/**
 * Writes the text of a document.
 *
 * @throws {@link DocumentError} with the reason when it cannot be read, or only a part of it
 */
export async function readDocument(document: Document, writer: PageWriter, isAttached = false): Promise<void> {
  const { bytes } = document
  switch (documentKind(document)) {
    case 'pdf':
      return (await import('./pdf.js')).readPdf(bytes, writer)
    case 'office':
      return (await import('./office.js')).readOffice(bytes, writer)
    case 'email':
      return (await import('./email.js')).readEmail(
        bytes,
        writer,
        isAttached ? undefined : (attached) => readAttachment(attached, writer),
      )
    case 'html':
      return writer.write(htmlText((await decodeText(bytes)).text))
    case 'plain': {
      const decoded = await decodeText(bytes)
      writer.write(decoded.text)
      return assertSure(decoded)
    }
    case 'old':
      throw new DocumentError(OLD)
    case undefined:
  }
}

/** Writes an attachment. One that cannot be read is no failure of the e-mail. */
async function readAttachment(attached: Document, writer: PageWriter): Promise<void> {
  try {
    await readDocument(attached, writer, true)
  } catch (error) {
    writer.write(`[it could not be read${error instanceof DocumentError ? `: ${error.message}` : ''}]`)
  }
}
