// The plugins of the host, as built.
import chat from '@mynah/plugin-chat'
import events from '@mynah/plugin-events'
import inbox from '@mynah/plugin-inbox'
import { crewPlugin } from '../world/crew-plugin.mjs'
import { databasePlugin } from '../world/store/database-plugin.mjs'

/** Returns the plugins of one life of the host with their configuration. */
export function entriesOf(world) {
  const endpoints = world.platforms.map(({ name }) => ({ adapter: name, id: 'one', master: 'owner', trusted: ['tess'] }))
  return [
    { plugin: events },
    { plugin: databasePlugin(world) },
    { plugin: inbox },
    { plugin: crewPlugin(world) },
    { plugin: chat, config: { endpoints, dispatcher: {}, commands: {} } },
  ]
}
