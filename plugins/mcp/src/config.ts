import type { Mistake } from '@mynah/kernel'
import { Type, type Static } from '@mynah/contract/type'

const closed = { additionalProperties: false } as const
const ROLES = ['user', 'group_admin', 'group_owner', 'trusted', 'master'] as const
const Names = (description: string) => Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }))

export const ServerConfig = Type.Object(
  {
    command: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Program to start; it exchanges messages over standard input and output',
      }),
    ),
    args: Type.Optional(Type.Array(Type.String(), { description: 'Arguments of the command' })),
    env: Type.Optional(
      Type.Record(Type.String(), Type.String({ secret: true }), {
        description: 'Environment in addition to PATH, HOME and LANG; other variables of the host are not passed',
      }),
    ),
    cwd: Type.Optional(
      Type.String({ minLength: 1, description: 'Working folder, relative to the configuration file' }),
    ),
    url: Type.Optional(
      Type.String({
        pattern: '^https?://',
        description: 'Address of a server over streamable HTTP, or over SSE for old servers',
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ secret: true }), { description: 'Headers of every request to `url`' }),
    ),
    include: Names('Names of the only tools to offer, as the server lists them'),
    exclude: Names('Names of tools that are not offered'),
    timeout: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400_000, description: 'Timeout of a call, ms; default 120,000' }),
    ),
    startTimeout: Type.Optional(
      Type.Integer({
        minimum: 1_000,
        maximum: 3_600_000,
        description:
          'Time for a start, ms; default 60,000, and up to eight times as much after starts that took too long',
      }),
    ),
    roles: Type.Optional(
      Type.Array(Type.Enum([...ROLES]), {
        minItems: 1,
        description:
          'Roles that may use the tools; default trusted and master. Tools that say that they change things ask for these in any case, unless `ai.toolbox.roles` names them',
      }),
    ),
    disabled: Type.Optional(Type.Boolean({ description: 'Disables the server' })),
  },
  closed,
)
export type ServerConfig = Static<typeof ServerConfig>

const Servers = Type.Record(Type.String(), ServerConfig, { default: {}, description: 'MCP servers by name' })

/** The sections of the plugin, by path. */
export interface Config {
  readonly 'ai.mcpServers': Static<typeof Servers>
}

export const claims = {
  keys: { 'ai.mcpServers': Servers },
  check: (config: Config): Mistake[] => mistakesIn(config),
}

const NAME = /^[^\s:]{1,64}$/
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Checks what a schema cannot express. */
function mistakesIn(config: Config): Mistake[] {
  return Object.entries(config['ai.mcpServers']).flatMap(([name, server]) => mistakesOf(name, server))
}

type Report = (field: string, message: string) => void

function mistakesOf(name: string, server: ServerConfig): Mistake[] {
  const found: Mistake[] = []
  const report: Report = (field, message) =>
    void found.push({ path: `ai.mcpServers.${name}${field && `.${field}`}`, message })
  if (!NAME.test(name)) report('', 'is no valid name: use at most 64 characters without spaces and ":"')
  checkTransport(server, report)
  checkEnv(server, report)
  for (const [header, value] of Object.entries(server.headers ?? {}))
    if (!isHeader(header, value)) report(`headers.${header}`, 'is no valid header')
  return found
}

function checkTransport(server: ServerConfig, report: Report): void {
  const { command, url } = server
  if (command === undefined && url === undefined) report('', 'needs a command or a url')
  if (command !== undefined && url !== undefined)
    report('url', 'cannot be combined with a command: a server has one or the other')
  if (url !== undefined && !URL.canParse(url)) report('url', 'is no valid address')
  const unusable = command === undefined ? (['args', 'env', 'cwd'] as const) : (['headers'] as const)
  for (const field of unusable)
    if (server[field] !== undefined)
      report(field, `is only for a server with a ${command === undefined ? 'command' : 'url'}`)
}

function checkEnv({ env = {} }: ServerConfig, report: Report): void {
  for (const variable of Object.keys(env))
    if (!VARIABLE.test(variable)) report(`env.${variable}`, 'is no valid name of an environment variable')
  for (const [variable, value] of Object.entries(env))
    if (value.includes('\0')) report(`env.${variable}`, 'contains a zero byte')
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name)
  } catch {
    // The error message would contain the value, which is a secret.
    return false
  }
}
