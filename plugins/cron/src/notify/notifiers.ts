import { WireError } from '@mynah/contract'
import type { Logger, Ref } from '@mynah/kernel'
import { Formatted, type Chat } from '@mynah/plugin-chat/api'
import { jobNotifier, NoticeWaits, type JobNotifier } from '../api.js'
import { cut } from '../engine/text.js'
import { channelOf } from './normalize.js'

const MAX_LOGGED = 2_000

/** Creates the notifiers of chat, of the log and of no channel. */
export function builtInNotifiers(chat: Ref<Chat>, log: Logger): JobNotifier[] {
  return [
    jobNotifier<'im'>({
      channel: 'im',
      async send(notify, { text, format, key }) {
        const running = chat.current
        if (!running)
          throw chat.declared
            ? new WireError('not_ready', 'Chat is not ready')
            : new WireError('not_found', 'There is no chat on this host')
        const { platform, endpointId } = notify
        // Chat would keep a message for a removed endpoint, so check that the endpoint exists.
        if (
          !running.endpoints().some(({ adapter, name }) => adapter === platform && name === endpointId) &&
          !running.isExpected(platform, endpointId)
        )
          throw new WireError('not_found', `There is no endpoint "${endpointId}" of "${platform}"`)
        const content = format === 'markdown' ? [Formatted(text)] : text
        const { messageId } = await running.send(platform, endpointId, channelOf(notify), content, { key })
        if (messageId === '') throw new NoticeWaits(`the message waits for the endpoint "${endpointId}"`)
      },
    }),
    jobNotifier<'log'>({
      channel: 'log',
      send(_, { text, jobId, runId, label }) {
        log.info(`${label}: ${cut(text, MAX_LOGGED)}`, { job: jobId, run: runId })
        return Promise.resolve()
      },
    }),
    jobNotifier<'silent'>({ channel: 'silent', send: () => Promise.resolve() }),
  ]
}
