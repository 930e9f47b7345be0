// The process that reads one document, which comes by its input: a line with its name and type, then its bytes.
import { writeSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { messageOf } from '@mynah/kernel'
import { RESULTS } from './confinement.js'
import type { Document } from './kind.js'
import { DocumentError } from './limits.js'
import { PageWriter } from './page-writer.js'
import { readDocument } from './read.js'
import { pageLines, type Reading } from './reading.js'

/** Writes, and waits where the host is busy, so that what was read is with the host when the process is ended. */
function send(line: Reading): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
  for (let at = 0; at < bytes.length;) at += writeSync(RESULTS, bytes, at)
}

function endOf(error: unknown): Reading {
  if (error instanceof DocumentError) return { isDone: true, problem: error.message }
  const cause = messageOf(error)
  return cause.includes('allocation failed')
    ? { isDone: true, problem: 'it needs too much memory' }
    : { isDone: true, cause }
}

async function documentOf(input: NodeJS.ReadableStream): Promise<Document> {
  const bytes = await buffer(input)
  const head = bytes.indexOf('\n')
  const { name, mediaType } = JSON.parse(bytes.toString('utf8', 0, head)) as Omit<Document, 'bytes'>
  // A library may want the whole buffer of its array.
  return { name, mediaType, bytes: new Uint8Array(bytes.subarray(head + 1)) }
}

const writer = new PageWriter((text) => pageLines(text).forEach(send))
await documentOf(process.stdin)
  .then((document) => readDocument(document, writer))
  .then(
    () => send({ isDone: true }),
    (error: unknown) => send(endOf(error)),
  )
process.exit()
