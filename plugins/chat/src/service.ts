// Chat as other plugins see it.
import type { HostControl } from '@mynah/kernel'
import type { Channel, Content } from '@mynah/contract/types'
import type { Chat, SendOptions } from './api/points.js'
import type { SendRequest } from './outbound/sender.js'
import { sharedRead } from './util/shared-read.js'
import { localized } from './api/languages.js'
import { usageOf } from './commands/help.js'
import { listOf } from './config.js'
import { ReceivedMessage } from './inbound/received-message.js'
import type { ChatRuntime } from './runtime.js'
import { endpointInfo, endpointRow } from './views.js'

/** The service over a runtime. */
export function chatService(runtime: ChatRuntime, host: HostControl): Chat {
  const { endpoints, dispatcher, runner, counters, sending, drafts, traces, activity } = runtime
  const redact = (text: string): string => host.redact(text)

  /** The request behind the options, and the polish that answers have. */
  const requestOf = ({ key, answers, source = 'ai' }: SendOptions): SendRequest => ({
    ...(answers instanceof ReceivedMessage
      ? {
          ...runtime.requestOf(answers),
          polish: (segments) => dispatcher.polished(segments, { message: answers, source }),
        }
      : {}),
    ...(key === undefined ? {} : { key }),
  })

  return Object.freeze<Chat>({
    dispatcher,
    get commandPrefix() {
      return runtime.config.commands.prefix
    },
    get locale() {
      return runtime.config.commands.locale
    },
    counters,
    async send(adapter: string, endpoint: string, target: Channel, content: Content, options: SendOptions = {}) {
      const { key, answers, source = 'ai' } = options
      if (
        answers instanceof ReceivedMessage &&
        answers.adapter === adapter &&
        answers.endpoint === endpoint &&
        answers.channel === target
      )
        return dispatcher.reply(answers, source, content, key === undefined ? {} : { key })
      return sending.send(endpoints.get(adapter, endpoint), target, content, requestOf(options))
    },
    draft: async (adapter, endpoint, target, options) =>
      drafts.begin(endpoints.get(adapter, endpoint), target, { ...requestOf(options), key: options.key }),
    typing(adapter, endpoint, target) {
      const found = endpoints.find(adapter, endpoint)
      if (found?.status === 'online')
        found.bot?.typing?.(target).catch(() => {
          /* A sign that nobody misses. */
        })
    },
    shows: (adapter, endpoint, type) => endpoints.find(adapter, endpoint)?.shows(type) ?? false,
    fetchMedia: (adapter, endpoint, segment, limits) => runtime.fetching.fetch(adapter, endpoint, segment, limits),
    message: (row) => runtime.message(row),
    transcript: async (query) => runtime.readableStore().transcript(query),
    activity: (minutes) => activity.summary(minutes),
    list: sharedRead(() =>
      Promise.all(endpoints.all().map((endpoint) => endpointRow(endpoint, runtime.activeStore(), redact))),
    ),
    info: async (adapter, endpoint) => endpointInfo(endpoints.get(adapter, endpoint), runtime.activeStore(), redact),
    endpoints: () => endpoints.all().map(({ adapter, id, status }) => ({ adapter, name: id, status })),
    can: (adapter, endpoint, capability) =>
      endpoints.find(adapter, endpoint)?.capabilities.includes(capability) === true,
    isExpected: (adapter, endpoint) => endpoints.isExpected(adapter, endpoint),
    online: () => endpoints.all().filter(({ status }) => status === 'online').length,
    commands: (locale = 'en') =>
      runner
        .tree()
        .all()
        .map(({ command, owner }) => ({
          pattern: usageOf(command, runtime.config.commands.prefix),
          desc: localized(command.description, locale),
          plugin: owner,
        }))
        .sort((a, b) => (a.pattern < b.pattern ? -1 : a.pattern > b.pattern ? 1 : 0)),
    rolesOf: (adapter, endpoint, userId) => runtime.rolesOf(adapter, endpoints.get(adapter, endpoint).id, userId),
    mastersOf: (adapter, endpoint) => listOf(endpoints.get(adapter, endpoint).config.master),
    traces: (query) => traces.list(query),
  })
}
