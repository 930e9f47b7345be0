// The plugins of a host, with the reasons why a plugin does not run.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'

/** The contributions of a plugin to one point. */
export const Feature = Type.Object({
  name: Type.String({ description: 'Name of the point', examples: ['commands'] }),
  count: Type.Integer(),
  items: Type.Array(Type.Object({ name: Type.String(), description: Type.Optional(Type.String()) })),
})
export type Feature = Static<typeof Feature>

/** The state of a plugin. */
export const PluginState = Type.Enum(['pending', 'starting', 'active', 'degraded', 'stopping', 'failed', 'disabled'])

const version = Type.Optional(Type.String())
const error = Type.Optional(Type.String({ description: 'Why it failed or is degraded' }))
const waitingFor = Type.Array(
  Type.String({ description: 'A service that it waits for, and the plugin that could provide it' }),
)
const filePath = Type.Optional(Type.String({ description: 'Relative to the configuration file, or the package name' }))

const item = {
  name: Type.String({ examples: ['http-core'] }),
  status: Type.Enum(['active', 'inactive']),
  description: Type.String(),
  descriptions: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'The description in further languages, by their tag',
      examples: [{ 'zh-CN': '消息与命令' }],
    }),
  ),
  features: Type.Array(Feature),
  state: Type.Optional(PluginState),
  version,
  error,
  waitingFor: Type.Optional(waitingFor),
  filePath,
}

/** A plugin in a list. */
export const PluginItem = Type.Object(item, {
  examples: [
    {
      name: 'chat',
      status: 'active',
      description: 'Messages and commands',
      features: [{ name: 'commands', count: 1, items: [{ name: 'help' }] }],
    },
  ],
})
export type PluginItem = Static<typeof PluginItem>

/** A plugin with its options, needs, contributions and problems. */
export const PluginDetail = Type.Object({
  ...item,
  filename: Type.Optional(Type.String({ description: 'File name of the module' })),
  contexts: Type.Array(Type.Object({ name: Type.String(), description: Type.Optional(Type.String()) }), {
    description: 'Services that the plugin provides',
  }),
  state: PluginState,
  waitingFor,
  provides: Type.Array(Type.String()),
  requires: Type.Array(Type.String()),
  configKey: Type.Optional(Type.String({ description: 'First configuration path that it claims' })),
})
export type PluginDetail = Static<typeof PluginDetail>

/** Operations and methods for plugins. */
export const plugins = contract({
  rest: {
    'GET /plugins': {
      summary: 'All plugins of the configuration, also disabled ones',
      data: Type.Array(PluginItem),
      scope: 'demo',
    },
    'GET /plugins/:name': {
      summary: 'One plugin',
      params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 214 }) }),
      data: PluginDetail,
      scope: 'demo',
      errors: ['not_found'],
    },
  },
})
