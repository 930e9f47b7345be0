// The thread that reads one document. It has the memory of its own, and ends with its document.
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '@mynah/kernel'
import type { Document } from './kind.js'
import { DocumentError } from './limits.js'
import { PageWriter } from './page-writer.js'
import { readDocument } from './read.js'
import type { WorkerMessage } from './reader.js'

const send = (message: WorkerMessage): void => parentPort?.postMessage(message)

readDocument(workerData as Document, new PageWriter((text) => send({ text }))).then(
  () => send({ isDone: true }),
  (error: unknown) =>
    send(
      error instanceof DocumentError
        ? { isDone: true, problem: error.message }
        : { isDone: true, cause: messageOf(error) },
    ),
)
