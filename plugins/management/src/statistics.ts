import type { BaseContext, HostControl, Reader, Ref } from '@mynah/kernel'
import { changed } from '@mynah/kernel'
import type { Stats } from '@mynah/contract/types'
import type { Chat, Command, MessageComponent } from '@mynah/plugin-chat/api'
import { isActive } from './plugin-views.js'

const BYTES_PER_MB = 1_048_576
/** Maximum age of the memory size, which is expensive to read. */
const MEMORY_AGE_MS = 1_000

interface Parts {
  readonly host: HostControl
  readonly chat: Ref<Chat>
  readonly commands: Reader<Command>
  readonly components: Reader<MessageComponent>
}

/** Returns the handler of `GET /stats`. Plugins are counted again only after a change. */
export function statistics(ctx: BaseContext<unknown>, { host, chat, commands, components }: Parts): () => Stats {
  let plugins: Stats['plugins'] | undefined
  ctx.on(changed, ({ what }) => {
    if (what === 'state') plugins = undefined
  })
  let memory = 0
  let measuredAt = -Infinity
  return () => {
    const now = ctx.clock.now()
    if (now - measuredAt >= MEMORY_AGE_MS) {
      memory = Math.round((process.memoryUsage.rss() / BYTES_PER_MB) * 10) / 10
      measuredAt = now
      // A plugin that is removed leaves the list after its last change of state.
      plugins = undefined
    }
    plugins ??= countPlugins(host)
    const current = chat.current
    return {
      plugins,
      endpoints: { total: current?.endpoints().length ?? 0, online: current?.online() ?? 0 },
      // The same as the commands resource, which is empty without chat.
      commands: current ? commands.all().length : 0,
      components: components.all().length,
      uptime: (now - host.startedAt) / 1000,
      memory,
      runtime: 'node',
    }
  }
}

function countPlugins(host: HostControl): Stats['plugins'] {
  const views = host.inspect()
  return { total: views.length, active: views.filter(({ state }) => isActive(state)).length }
}
