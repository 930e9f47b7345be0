// Configuration, schemas, files and environment files of a host.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { FILE_TRANSFER_LIMIT } from '../wire.js'
import { Json, JsonObject, Outcome, Success, Time } from './common.js'

const Name = Type.String({ minLength: 1, maxLength: 214 })
/** Characters of the base64 of the largest file. */
const BASE64_LIMIT = Math.ceil(FILE_TRANSFER_LIMIT / 3) * 4
const FilePath = Type.String({ minLength: 1, maxLength: 4096 })

/** A section of the configuration with its file. */
export const SectionView = Type.Object({ name: Type.String(), filePath: Type.String(), config: Json })
/** The result of a change of the configuration. */
export const ConfigSetResult = Type.Object({
  success: Type.Boolean(),
  reloaded: Type.Optional(Type.Boolean()),
  message: Type.Optional(Type.String()),
})
export type ConfigSetResult = Static<typeof ConfigSetResult>

/** Plugins that do not run, with their common reason. */
const HeldPlugins = Type.Object({ plugins: Type.Array(Type.String()), reason: Type.String() })
/** The changes that an applied configuration has made in the host. */
export const ConfigApplied = Type.Object({
  accepted: Type.Boolean({ description: 'False for an invalid configuration: the host runs as before' }),
  complete: Type.Boolean({ description: 'False while plugins are still changing: the lists are empty then' }),
  notes: Type.Array(Type.String()),
  problems: Type.Array(
    Type.Object({
      severity: Type.Enum(['fatal', 'plugin', 'item', 'warning']),
      code: Type.Optional(Type.String({ description: 'As `plugin/changed-code`, for which only a restart helps' })),
      message: Type.String(),
      path: Type.Optional(Type.String()),
      line: Type.Optional(Type.Integer()),
    }),
  ),
  updated: Type.Array(Type.String(), { description: 'Plugins that took their section in place' }),
  restarted: Type.Array(Type.String()),
  started: Type.Array(Type.String()),
  stopped: Type.Array(Type.String()),
  waiting: Type.Array(HeldPlugins),
  failed: Type.Array(HeldPlugins),
})
export type ConfigApplied = Static<typeof ConfigApplied>

const VersionId = Type.String({ pattern: '^[0-9]{1,16}$' })
/** A version of the configuration file. */
export const ConfigVersion = Type.Object({
  id: VersionId,
  at: Time,
  from: Type.Enum(['start', 'disk', 'call', 'host'], {
    description:
      'Found at a start, edited on disk and then applied, sent by a client, or written by a plugin or to undo a change',
  }),
  by: Type.Optional(Type.String({ description: 'Name of the token of the client' })),
  address: Type.Optional(Type.String({ description: 'Address of the client' })),
  current: Type.Boolean({ description: 'The text on disk is this one' }),
})
export type ConfigVersion = Static<typeof ConfigVersion>

export interface FileTreeNode {
  name: string
  path: string
  type: 'file' | 'directory'
  size?: number
  mtime?: number
  children?: FileTreeNode[]
}
/** One file or folder; its children are of the same shape. */
export const FileTreeNode = Type.Unsafe<FileTreeNode>(
  Type.Object({
    name: Type.String(),
    path: Type.String({ description: 'Relative to the folder of the configuration file' }),
    type: Type.Enum(['file', 'directory']),
    size: Type.Optional(Type.Integer()),
    mtime: Type.Optional(Time),
    children: Type.Optional(Type.Array(Json)),
  }),
)

/** Methods that read and change the configuration. */
export const configuration = contract({
  rest: {
    'GET /config': { summary: 'The main configuration as written, secrets masked', data: JsonObject },
    'GET /config/:name': {
      summary: 'Configuration of the host (`app`) or of one plugin',
      params: Type.Object({ name: Name }),
      data: Json,
      errors: ['not_found'],
    },
    'POST /config/:name': {
      summary: 'Replaces the section of a plugin, like `config:set`',
      params: Type.Object({ name: Name }),
      body: Json,
      data: ConfigSetResult,
      errors: ['not_found', 'conflict', 'upstream_unavailable'],
    },
    'GET /schemas': { summary: 'Configuration schemas by plugin', data: Type.Record(Type.String(), Json) },
    'GET /schemas/:name': { summary: 'One schema or null', params: Type.Object({ name: Name }), data: Json },
  },
  rpc: {
    'config:get': {
      summary: 'The whole configuration, or that of one plugin',
      reads: true,
      params: Type.Object({ pluginName: Type.Optional(Name) }),
      data: Json,
      errors: ['not_found'],
    },
    'config:get-all': {
      summary: 'The whole configuration, and the plugin that claims each section',
      reads: true,
      data: Type.Object({ config: JsonObject, aliases: Type.Record(Type.String(), Type.String()) }),
    },
    'config:set': {
      summary: 'Replaces a section and applies it. Keeps comments and order',
      params: Type.Object({ pluginName: Name, data: Json }),
      data: ConfigSetResult,
      errors: ['not_found', 'conflict', 'upstream_unavailable'],
    },
    'config:enable': {
      summary: 'Adds installed plugins to `plugins` and starts them. Those that are enabled already stay as they are',
      params: Type.Object({
        plugins: Type.Array(Name, { minItems: 1, maxItems: 16 }),
        sections: Type.Optional(
          Type.Record(Type.String(), JsonObject, {
            description: 'Sections of these plugins, by path, which are written first',
          }),
        ),
      }),
      data: ConfigSetResult,
      errors: ['conflict', 'upstream_unavailable'],
    },
    'config:disable': {
      summary: 'Disables plugins of `plugins` and stops them',
      params: Type.Object({ plugins: Type.Array(Name, { minItems: 1, maxItems: 16 }) }),
      data: ConfigSetResult,
      errors: ['not_found', 'conflict', 'upstream_unavailable'],
    },
    'config:remove': {
      summary: 'Takes plugins out of `plugins` and stops them. Their sections and packages stay',
      params: Type.Object({ plugins: Type.Array(Name, { minItems: 1, maxItems: 16 }) }),
      data: ConfigSetResult,
      errors: ['not_found', 'conflict', 'upstream_unavailable'],
    },
    'config:installed': {
      summary: 'The installed plugins that `plugins` does not list',
      reads: true,
      data: Type.Object({
        plugins: Type.Array(
          Type.Object({
            name: Type.String(),
            package: Type.String(),
            version: Type.Optional(Type.String()),
            description: Type.Optional(Type.String()),
          }),
        ),
      }),
    },
    'config:describe': {
      summary: 'The sections of an installed plugin, listed or not. Loads its code',
      params: Type.Object({ plugin: Name }),
      data: Type.Object({ sections: Type.Array(Type.Object({ path: Type.String(), schema: Json })) }),
      errors: ['not_found'],
    },
    'config:apply': {
      summary:
        'Makes the host run the configuration, the environment files and the tokens on disk, like `mynah reload`',
      data: ConfigApplied,
      errors: ['conflict', 'upstream_unavailable'],
    },
    'config:get-yaml': {
      summary: 'The file as text, secrets masked',
      reads: true,
      data: Type.Object({
        yaml: Type.String(),
        pluginKeys: Type.Array(Type.String()),
        etag: Type.String(),
        problem: Type.Optional(
          Type.Object(
            {
              message: Type.String(),
              line: Type.Optional(Type.Integer()),
              readable: Type.Boolean({ description: 'False for a file that is no YAML' }),
            },
            { description: 'Why the host would refuse the file as it is on disk, or a part of it' },
          ),
        ),
      }),
    },
    'config:save-yaml': {
      summary:
        'Writes the file, which is applied at the next start, or at once where several hosts share it. With `etag`, ' +
        'only if the file is unchanged',
      params: Type.Object({
        yaml: Type.String({ maxLength: 262_144 }),
        etag: Type.Optional(Type.String({ maxLength: 128 })),
      }),
      data: ConfigSetResult,
      errors: ['conflict', 'unsupported', 'upstream_unavailable'],
    },
    'config:versions': {
      summary: 'The last versions of the file that were written or run, the newest first',
      reads: true,
      data: Type.Object({ versions: Type.Array(ConfigVersion) }),
    },
    'config:version': {
      summary: 'The text of one version, secrets masked',
      reads: true,
      params: Type.Object({ id: VersionId }),
      data: Type.Object({ yaml: Type.String() }),
      errors: ['not_found', 'unsupported'],
    },
    'config:restore': {
      summary: 'Writes an older version with its secrets, like `config:save-yaml`',
      params: Type.Object({ id: VersionId }),
      data: ConfigSetResult,
      errors: ['not_found', 'conflict', 'upstream_unavailable'],
    },
    'schema:get': {
      summary: 'The schema of one plugin or null',
      reads: true,
      params: Type.Object({ pluginName: Type.Optional(Name) }),
      data: Json,
      scope: 'demo',
    },
    'schema:get-all': {
      summary: 'All schemas by plugin',
      reads: true,
      data: Type.Record(Type.String(), Json),
      scope: 'demo',
    },
    'files:tree': {
      summary: 'Files below the folder of the configuration file',
      reads: true,
      data: Type.Object({ tree: Type.Array(FileTreeNode) }),
    },
    'files:read': {
      summary: 'A text file of at most 1 MiB',
      reads: true,
      params: Type.Object({ filePath: FilePath }),
      data: Type.Object({ content: Type.String(), size: Type.Integer(), etag: Type.String() }),
      errors: ['not_found', 'forbidden', 'too_large', 'unsupported'],
    },
    'files:save': {
      summary: 'Writes a text file. With `etag`, only if the file is unchanged',
      params: Type.Object({
        filePath: FilePath,
        content: Type.String({ maxLength: 4_194_304 }),
        etag: Type.Optional(Type.String({ maxLength: 128 })),
      }),
      data: Outcome,
      errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
    },
    'files:download': {
      summary: 'The bytes of any visible file of at most 8 MiB, as base64',
      reads: true,
      params: Type.Object({ filePath: FilePath }),
      data: Type.Object({ base64: Type.String(), size: Type.Integer(), etag: Type.String() }),
      errors: ['not_found', 'forbidden', 'too_large', 'unsupported'],
    },
    'files:upload': {
      summary: 'Writes a file of at most 8 MiB from base64. An existing one only with `replace`',
      params: Type.Object({
        filePath: FilePath,
        base64: Type.String({ maxLength: BASE64_LIMIT }),
        replace: Type.Optional(Type.Boolean()),
      }),
      data: Outcome,
      errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
    },
    'files:make-folder': {
      summary: 'Makes a folder in an existing one',
      params: Type.Object({ folderPath: FilePath }),
      data: Outcome,
      errors: ['not_found', 'forbidden', 'conflict'],
    },
    'files:move': {
      summary: 'Renames or moves a file or a folder. Never replaces anything',
      params: Type.Object({ from: FilePath, to: FilePath }),
      data: Outcome,
      errors: ['not_found', 'forbidden', 'conflict', 'unsupported'],
    },
    'env:list': { summary: 'Environment files', reads: true, data: Type.Object({ files: Type.Array(Type.String()) }) },
    'env:get': {
      summary: 'One environment file',
      reads: true,
      params: Type.Object({ filename: FilePath }),
      data: Type.Object({ content: Type.String(), etag: Type.String() }),
      errors: ['forbidden'],
    },
    'env:save': {
      summary: 'Writes an environment file. With `etag`, only if the file is unchanged',
      params: Type.Object({
        filename: FilePath,
        content: Type.String({ maxLength: 1_048_576 }),
        etag: Type.Optional(Type.String({ maxLength: 128 })),
      }),
      data: Success,
      errors: ['forbidden', 'conflict'],
    },
  },
  events: {
    'config:updated': { summary: 'A section changed', data: Type.Object({ pluginName: Type.String(), config: Json }) },
  },
})
