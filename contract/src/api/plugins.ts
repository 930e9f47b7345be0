// The plugins of a host, with why something is not running.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'

export const Feature = Type.Object({
  name: Type.String({ description: 'The point contributed to', examples: ['commands'] }),
  count: Type.Integer(),
  items: Type.Array(Type.Object({ name: Type.String(), description: Type.Optional(Type.String()) })),
})
export type Feature = Static<typeof Feature>

const item = {
  name: Type.String({ examples: ['http-core'] }),
  status: Type.Enum(['active', 'inactive']),
  description: Type.String(),
  features: Type.Array(Feature),
}

export const PluginItem = Type.Object(item, { examples: [{ name: 'chat', status: 'active', description: 'Messages and commands', features: [{ name: 'commands', count: 1, items: [{ name: 'help' }] }] }] })
export type PluginItem = Static<typeof PluginItem>

export const PluginState = Type.Enum(['pending', 'starting', 'active', 'degraded', 'stopping', 'failed', 'disabled'])

export const PluginDetail = Type.Object({
  ...item,
  filename: Type.Optional(Type.String({ description: 'File name of the module' })),
  filePath: Type.Optional(Type.String({ description: 'Relative to the configuration file, or the package name' })),
  contexts: Type.Array(Type.Object({ name: Type.String(), description: Type.Optional(Type.String()) }), { description: 'Services that the plugin provides' }),
  version: Type.Optional(Type.String()),
  state: PluginState,
  waitingFor: Type.Array(Type.String({ description: 'What it waits for, and who could provide it' })),
  provides: Type.Array(Type.String()),
  requires: Type.Array(Type.String()),
  configKey: Type.Optional(Type.String({ description: 'First configuration path that it claims' })),
  error: Type.Optional(Type.String({ description: 'Why it failed or is degraded' })),
})
export type PluginDetail = Static<typeof PluginDetail>

export const plugins = contract({
  rest: {
    'GET /plugins': { summary: 'All plugins of the configuration, disabled ones too', data: Type.Array(PluginItem), scope: 'demo' },
    'GET /plugins/:name': { summary: 'One plugin', params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 214 }) }), data: PluginDetail, scope: 'demo', errors: ['not_found'] },
  },
})
