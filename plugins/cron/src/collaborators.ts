import type { Clock, HostControl, Reader, Ref } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { JobAction, JobNotify } from '@mynah/contract/types'
import type { Chat, Locale, Role } from '@mynah/plugin-chat/api'
import type { Approvals } from '@mynah/plugin-exec-security/api'
import { SkipJob, type JobActionKind, type JobHandler, type JobNotifier } from './api.js'
import type { Collaborators, OwnerChat } from './engine/collaborators.js'
import { notifyTo } from './notify/normalize.js'
import { waitFor } from './wait-for.js'

/** The parts of the host that {@link PluginCollaborators} reads. */
export interface PluginSources {
  readonly host: HostControl
  readonly chat: Ref<Chat>
  readonly agent: Ref<unknown>
  readonly approvals: Ref<Approvals>
  readonly actions: Reader<JobActionKind>
  readonly handlers: Reader<JobHandler>
  readonly notifiers: Reader<JobNotifier>
}

/** Finds what the engine needs in the services and contributions of the host. */
export class PluginCollaborators implements Collaborators {
  readonly #sources: PluginSources
  readonly #clock: Clock

  constructor(sources: PluginSources, clock: Clock) {
    this.#sources = sources
    this.#clock = clock
  }

  get locale(): Locale {
    return this.#sources.chat.current?.locale ?? 'en'
  }

  async owner(signal: AbortSignal): Promise<OwnerChat | undefined> {
    const { chat } = this.#sources
    if (!chat.current && !chat.declared) return undefined
    const running =
      chat.current ??
      (await waitFor(
        { name: 'chat', look: () => chat.current, watch: (listener) => chat.onChange(listener) },
        this.#clock,
        signal,
      ))
    const owner = running.ownerChannel()
    if (!owner) return undefined
    const { adapter, endpoint, channel } = owner
    return {
      notify: notifyTo(adapter, endpoint, channel),
      // A message that waits for its endpoint is in the store of chat, which sends it or says that it could not.
      send: async (text, key) => void (await running.send(adapter, endpoint, channel, text, { key })),
    }
  }

  redact(text: string): string {
    return this.#sources.host.redact(text)
  }

  rolesOf(adapter: string, endpoint: string, user: string): ReadonlySet<Role> {
    const { chat } = this.#sources
    if (chat.current) return chat.current.rolesOf(adapter, endpoint, user)
    if (chat.declared)
      throw new WireError('not_ready', 'Chat is not ready, so the roles of the job’s creator are unknown')
    return new Set(['user'])
  }

  approvals(signal: AbortSignal): Approvals | undefined | Promise<Approvals> {
    const { approvals } = this.#sources
    if (approvals.current || !approvals.declared) return approvals.current
    return waitFor(
      {
        name: 'the plugin that asks the owner',
        look: () => approvals.current,
        watch: (listener) => approvals.onChange(listener),
      },
      this.#clock,
      signal,
    )
  }

  action(kind: JobAction['kind'], signal: AbortSignal): JobActionKind | Promise<JobActionKind> {
    const { actions, agent } = this.#sources
    const known = actions.get(kind)?.value
    if (known) return known
    if (kind !== 'agent') throw new SkipJob(`no plugin of this host runs the action "${kind}"`)
    if (!agent.declared) throw new SkipJob('no agent runs on this host')
    return waitFor(
      {
        name: `the action "${kind}"`,
        look: () => actions.get(kind)?.value,
        watch: (listener) => actions.watch(listener),
      },
      this.#clock,
      signal,
    )
  }

  notifier(channel: JobNotify['channel']): JobNotifier | undefined {
    return this.#sources.notifiers.get(channel)?.value
  }

  checkAction(action: JobAction): void {
    if (action.kind !== 'handler') return
    const { handlers } = this.#sources
    const handler = handlers.get(action.handler)?.value
    if (handler) {
      handler.check?.(action.args)
      return
    }
    const names = handlers.all().map(({ key }) => key)
    throw new WireError('invalid_request', `There is no handler "${action.handler}"`, {
      details: [{ path: 'action.handler', message: `must be one of ${names.join(', ') || 'none'}` }],
    })
  }
}
