// The plugins of a host, with the reasons why a plugin does not run.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { CodePlace } from './development.js'

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

/** A service that one plugin needs and another one provides. */
export const PluginNeed = Type.Object({
  service: Type.String({ examples: ['chat'] }),
  kind: Type.Enum(['required', 'if-enabled', 'optional']),
  plugin: Type.Optional(
    Type.String({
      description: 'The plugin on the other side. Absent where the host provides the service, or nothing',
    }),
  ),
})
export type PluginNeed = Static<typeof PluginNeed>

/** A place in the source of a plugin. */
export const SourcePlace = Type.Object({
  file: Type.String({ description: 'Relative to the configuration file', examples: ['plugins/greeter.js'] }),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Optional(Type.Integer({ minimum: 1 })),
  lines: Type.Array(Type.Object({ number: Type.Integer(), text: Type.String() }), {
    description: 'The line and those around it, each of at most 300 characters, without secrets',
  }),
})
export type SourcePlace = Static<typeof SourcePlace>

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
  needs: Type.Optional(
    Type.Array(PluginNeed, { description: 'Its needs, each with the plugin that provides the service' }),
  ),
  neededBy: Type.Optional(Type.Array(PluginNeed, { description: 'The needs of other plugins that it provides' })),
  configKey: Type.Optional(Type.String({ description: 'First configuration path that it claims' })),
})
export type PluginDetail = Static<typeof PluginDetail>

/** The result of loading the code of a plugin once more. */
export const CodeReload = Type.Object({
  accepted: Type.Boolean({ description: 'Whether the plugin has the new code' }),
  state: Type.Enum(['reloaded', 'refused', 'rolled-back', 'failed', 'restart'], {
    description:
      '`reloaded`: it runs. `refused`: it cannot be loaded or does not fit the configuration, and the code before has ' +
      'run on. `rolled-back`: it did not start, and the code before runs again. `failed`: neither starts. `restart`: ' +
      'only a restart of the host loads it',
  }),
  message: Type.Optional(Type.String({ description: 'Why it was not accepted' })),
  location: Type.Optional(CodePlace),
})
export type CodeReload = Static<typeof CodeReload>

const named = Type.Object({ name: Type.String({ minLength: 1, maxLength: 214 }) })

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
      params: named,
      data: PluginDetail,
      scope: 'demo',
      errors: ['not_found'],
    },
    'GET /plugins/:name/failure': {
      summary:
        'Where in its source a plugin has failed. The source is shown of plugins in the folder of the configuration ' +
        'only, not of packages',
      params: named,
      data: Type.Object({ place: Type.Optional(SourcePlace) }),
      errors: ['not_found'],
    },
  },
  rpc: {
    'plugins:reload': {
      summary: 'Loads the code of a plugin once more, while the host and the other plugins run',
      params: named,
      data: CodeReload,
      errors: ['not_found', 'unsupported'],
    },
  },
})
