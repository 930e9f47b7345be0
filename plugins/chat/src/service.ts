import type { HostControl } from '@mynah/kernel'
import type { Chat, OwnerChannel } from './api/points.js'
import { capabilityOf } from './endpoints/capability-of.js'
import { localized } from './api/languages.js'
import { usageOf } from './commands/help.js'
import { listOf } from './config.js'
import type { OtherHosts } from './cluster/other-hosts.js'
import type { Endpoints } from './endpoints/endpoints.js'
import type { ChatRuntime } from './runtime.js'
import { sharedRead } from './util/shared-read.js'
import { endpointInfo, endpointRow } from './views.js'

/** Answers what other hosts ask about the endpoints of this one. Returns how to stop. */
export const answerOthers = (others: OtherHosts, { endpoints, store }: ChatRuntime, chat: Chat, host: HostControl) =>
  others.answer(chat, (adapter, endpoint) =>
    endpointRow(endpoints.get(adapter, endpoint), store.current, (text) => host.redact(text)),
  )

/**
 * Returns the service `Chat` over a runtime.
 *
 * @param others the endpoints of other hosts, in a cluster
 */
export function chatService(runtime: ChatRuntime, host: HostControl, others?: OtherHosts): Chat {
  const { endpoints, runner, telemetry, outbound, settings, store, postProcessor } = runtime
  const redact = (text: string): string => host.redact(text)

  return Object.freeze<Chat>({
    dispatcher: { addOutboundPolish: (handler) => postProcessor.add(handler) },
    get commandPrefix() {
      return settings.commands.prefix
    },
    get locale() {
      return settings.commands.locale
    },
    counters: telemetry.counters,
    async send(adapter, endpoint, target, content, options) {
      if (others?.have(adapter, endpoint)) return others.send(adapter, endpoint, target, content, options)
      return outbound.send(adapter, endpoint, target, content, options)
    },
    draft: (adapter, endpoint, target, options) => outbound.draft(adapter, endpoint, target, options),
    edit: (adapter, endpoint, target, messageId, text) =>
      runtime.edits.edit(adapter, endpoint, target, messageId, text),
    withdraw: (row) => runtime.edits.withdraw(row),
    react: async (adapter, endpoint, target, messageId, emoji, isOn = true) => {
      const found = endpoints.get(adapter, endpoint)
      const react = capabilityOf(found, 'react')
      await react(target, messageId, emoji, isOn)
      await runtime.changes.reacted(found, { messageId, channel: target }, emoji, isOn)
    },
    typing(adapter, endpoint, target) {
      const found = endpoints.find(adapter, endpoint)
      if (found?.status === 'online')
        found.bot?.typing?.(target).catch(() => {
          /* The sign is optional. */
        })
    },
    shows: (adapter, endpoint, type) => endpoints.find(adapter, endpoint)?.shows(type) ?? false,
    fetchMedia: (adapter, endpoint, segment, limits) => runtime.mediaFetcher.fetch(adapter, endpoint, segment, limits),
    message: (row) => runtime.actions.find(row),
    transcript: async (query) => store.require().transcript(query),
    activity: (minutes, adapter, step) =>
      telemetry.activity.summary(step === undefined ? { minutes } : { minutes, step }, adapter),
    list: sharedRead(() =>
      Promise.all(
        endpoints
          .all()
          .map(
            async (endpoint) =>
              (others?.have(endpoint.adapter, endpoint.id) && (await others.row(endpoint.adapter, endpoint.id))) ||
              endpointRow(endpoint, store.current, redact),
          ),
      ),
    ),
    info: async (adapter, endpoint) => {
      const found = endpoints.get(adapter, endpoint)
      return endpointInfo(found, telemetry.of(found.key), store.current, redact)
    },
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
          pattern: usageOf(command, settings.commands.prefix),
          desc: localized(command.description, locale),
          plugin: owner,
        }))
        .sort((a, b) => compare(a.pattern, b.pattern)),
    accessOf: (adapter, endpoint) => endpoints.find(adapter, endpoint)?.config.access,
    rolesOf: (adapter, endpoint, userId) => runtime.roles.of(adapter, endpoints.get(adapter, endpoint).id, userId),
    mastersOf: (adapter, endpoint) => listOf(endpoints.get(adapter, endpoint).config.master),
    ownerChannel: () => ownerChannelOf(endpoints),
    traces: (query) => telemetry.traces.list(query),
  })
}

/** Compares by UTF-16 units, independent of the locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Returns the private chat with the first owner, see {@link Chat.ownerChannel}. */
function ownerChannelOf(endpoints: Endpoints): OwnerChannel | undefined {
  for (const { adapter, id, config } of endpoints.all()) {
    const [master] = listOf(config.master)
    if (master !== undefined) return { adapter, endpoint: id, channel: { type: 'private', id: master } }
  }
  return undefined
}
