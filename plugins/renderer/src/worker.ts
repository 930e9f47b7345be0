// Thread that draws pictures one after the other, because the layout blocks it.
import { parentPort } from 'node:worker_threads'
import { messageOf } from '@mynah/kernel'
import { isWireError } from '@mynah/contract'
import { draw } from './draw.js'
import type { Job, Outcome } from './job.js'

parentPort?.on('message', ({ text, look }: Job) => {
  const answer = (outcome: Outcome): void => parentPort?.postMessage(outcome)
  draw(text, look).then(
    (image) => answer({ image }),
    (error: unknown) => answer({ code: isWireError(error) ? error.code : 'internal', message: messageOf(error) }),
  )
})
