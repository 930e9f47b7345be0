import { createHash } from 'node:crypto'
import { messageOf, type BaseContext, type Reader } from '@mynah/kernel'
import type { Bot, CommandMenu } from '../api/adapter.js'
import type { Command } from '../api/command.js'
import { commands } from '../api/points.js'
import type { ChatSettings } from '../settings.js'
import type { ActiveStore } from '../store/active-store.js'
import type { Endpoint } from './endpoint.js'
import type { Endpoints } from './endpoints.js'

/** Delay after a change of the commands, ms. Plugins that start or stop change them several times in a row. */
const SETTLE_MS = 5_000
/** The cursor with the hash of the menu that the platform shows. No adapter may use its name. */
const MENU_CURSOR = 'chat:commands'

/** Keeps the menus of platforms that show the commands of a bot, after connecting and when the commands change. */
export class CommandMenus {
  readonly #ctx: BaseContext<unknown>
  readonly #settings: ChatSettings
  readonly #endpoints: Endpoints
  readonly #store: ActiveStore
  readonly #commands: Reader<Command>
  /** The menu that each bot shows, as JSON. */
  readonly #shown = new WeakMap<Bot, string>()
  #cancelTimer: (() => void) | undefined

  constructor(ctx: BaseContext<unknown>, settings: ChatSettings, endpoints: Endpoints, store: ActiveStore) {
    this.#ctx = ctx
    this.#settings = settings
    this.#endpoints = endpoints
    this.#store = store
    this.#commands = ctx.read(commands)
    this.#commands.watch(() => this.schedule())
    endpoints.changed.add((endpoint) => {
      if (endpoint.status === 'online' && endpoint.bot?.commands) this.schedule()
    })
  }

  /** Updates the menus soon, if a platform has one. */
  schedule(): void {
    if (!this.#endpoints.all().some(({ bot }) => bot?.commands)) return
    this.#cancelTimer ??= this.#ctx.clock.setTimeout(() => {
      this.#cancelTimer = undefined
      const menu = this.#menu()
      for (const endpoint of this.#endpoints.all()) void this.#show(endpoint, menu)
    }, SETTLE_MS)
  }

  #menu(): CommandMenu {
    const shown = this.#commands
      .all()
      .filter(({ value }) => !value.hidden)
      .map(({ value: { name, description, requiredAnyRole, privateOnly } }) => ({
        name,
        description,
        ...(requiredAnyRole ? { requiredAnyRole } : {}),
        ...(privateOnly ? { privateOnly } : {}),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    return { prefix: this.#settings.commands.prefix, commands: shown }
  }

  async #show(endpoint: Endpoint, menu: CommandMenu): Promise<void> {
    const { adapter, id, bot, status, config } = endpoint
    if (!bot?.commands || status !== 'online') return
    const wanted = JSON.stringify(menu)
    if (this.#shown.get(bot) === wanted) return
    this.#shown.set(bot, wanted)
    // With the configuration, which may name another account or turn the menu off.
    const hash = createHash('sha256')
      .update(JSON.stringify([menu, config]))
      .digest('base64url')
    try {
      if ((await this.#shownBefore(endpoint)) === hash) return
      await bot.commands(menu)
      await this.#store.current?.setCursors(endpoint.key, { [MENU_CURSOR]: hash })
    } catch (error) {
      // Shown again after the next connection.
      this.#shown.delete(bot)
      this.#ctx.log.warn(
        `${adapter}/${id}: failed to show the commands in the menu of the platform: ${messageOf(error)}`,
      )
    }
  }

  /** Returns the hash of the menu that the platform shows, where the store knows one. */
  async #shownBefore({ key }: Endpoint): Promise<string | undefined> {
    try {
      return await this.#store.current?.cursor(key, MENU_CURSOR)
    } catch {
      // The menu does not wait for the store.
      return undefined
    }
  }

  close(): void {
    this.#cancelTimer?.()
  }
}
