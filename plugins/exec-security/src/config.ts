// The configuration that this plugin claims, and the policy that follows from it.
import { Type } from '@mynah/contract/type'
import type { ConfigOf } from '@mynah/kernel'
import { DEFAULT_LIMITS } from './limits/limits.js'
import type { ExecPolicy } from './policy/index.js'

const MODES = ['ask', 'allow', 'deny'] as const
const WORD = { minLength: 1, maxLength: 256, pattern: '^\\S+$' }

/** Subcommands that act on people, groups, money or what was said. */
const SENSITIVE = [
  'kick',
  'mute',
  'group dissolve',
  'group transfer',
  'friend delete',
  'friend block',
  'friend move',
  'pay',
  'payment',
  'wallet',
  'recall',
  'group file delete',
  'group file rmdir',
]

const HOST_NAME = Type.String({
  minLength: 1,
  maxLength: 260,
  pattern: '^(?:\\*\\.)?[^\\s:/?#@*]+(?::\\d{1,5})?$',
  examples: ['example.org', '*.example.org', 'example.org:8443'],
})
const PRIVATE_HOST = Type.Object(
  { host: HOST_NAME, private: Type.Optional(Type.Boolean({ description: 'Whether it may be in a private network' })) },
  { additionalProperties: false },
)

/** A path below the home folder, which no part of it leaves. */
const BELOW = '^(?!/)(?!.*(?:^|/)\\.\\.(?:/|$)).+$'

const folders = (description: string) =>
  Type.Array(Type.String({ minLength: 2, maxLength: 4096, pattern: '^/', examples: ['/srv/project'] }), {
    default: [],
    maxItems: 100,
    description,
  })
const limit = (value: number, description: string, minimum: number) =>
  Type.Integer({ default: value, minimum, maximum: 1_048_576, description })

/** Each key on its own, so that the rest of `ai.agent` stays with the agent. */
export const claims = {
  keys: {
    'ai.agent.execSecurity': Type.Enum(['deny', 'allowlist', 'full'], {
      default: 'deny',
      description: 'Which commands may run: none, those of the lists and read-only ones, or all that are not forbidden',
    }),
    'ai.agent.execPreset': Type.Enum(['readonly', 'network', 'development', 'custom'], {
      default: 'custom',
      description: 'Built-in list of commands. Each preset contains the ones before it',
    }),
    'ai.agent.execAllowlist': Type.Array(Type.String({ ...WORD, examples: ['git'] }), {
      default: [],
      maxItems: 1000,
      description: 'More listed commands, by their exact first word. They are added to the preset',
    }),
    'ai.agent.execApprovalMode': Type.Enum(MODES, {
      default: 'deny',
      description: 'Decision on a command that no list or rule covers: ask the owner, allow or deny',
    }),
    'ai.agent.subagentExecApprovalMode': Type.Optional(
      Type.Enum(MODES, { description: 'The same decision for sub-agents. The default is execApprovalMode' }),
    ),
    'ai.agent.execSandbox': Type.Enum(['auto', 'required', 'off'], {
      default: 'auto',
      description:
        'Level that holds a command: the strongest one that works here (auto), wall or no command (required), ' +
        'none (off)',
    }),
    'ai.agent.execLevel': Type.Optional(
      Type.Enum(['wall', 'files', 'none'], {
        description:
          'Weakest level at which all commands run. Below it, only those that provably only read do. ' +
          'The default is the strongest level that this machine has ever had',
      }),
    ),
    'ai.agent.execTrust': Type.Enum(['listed', 'walled'], {
      default: 'listed',
      description: 'Which commands run at level wall without a question: listed ones, or all that are not forbidden',
    }),
    'ai.agent.execUnwalled': Type.Enum(['ask', 'text'], {
      default: 'ask',
      description:
        'Which listed commands run below level wall without a question: those that provably only read (ask), ' +
        'or all whose text is covered (text)',
    }),
    'ai.agent.execNetwork': Type.Optional(
      Type.Enum(['none', 'listed', 'named'], {
        description:
          'Hosts that commands reach at level wall: none, those of execHosts, or also those that their text names. ' +
          'The default follows from execPreset: none for readonly, listed for custom, else named',
      }),
    ),
    'ai.agent.execHosts': Type.Array(Type.Union([HOST_NAME, PRIVATE_HOST]), {
      default: [],
      maxItems: 1000,
      description: 'Hosts that commands may reach at level wall. They may receive what the working folder holds',
    }),
    'ai.agent.execView': Type.Object(
      {
        write: folders('More folders that commands may change'),
        read: folders('More folders and files that commands may read'),
        home: Type.Array(Type.String({ minLength: 1, maxLength: 512, pattern: BELOW, examples: ['.npmrc'] }), {
          default: ['.gitconfig'],
          maxItems: 100,
          description: 'Files of the home folder that commands may read. Credentials are left out of .gitconfig',
        }),
        tools: folders('Folders of programs outside of /usr that are not on the PATH of the host'),
        keepDays: Type.Integer({
          default: 7,
          minimum: 0,
          maximum: 365,
          description: 'Days after which the home folder and /tmp of an unused place are deleted. 0 keeps nothing',
        }),
      },
      { additionalProperties: false, description: 'Files that commands see at the levels wall and files' },
    ),
    'ai.agent.execLimits': Type.Object(
      {
        processes: limit(DEFAULT_LIMITS.processes, 'Processes and threads of one command', 8),
        memoryMb: limit(
          DEFAULT_LIMITS.memoryMb,
          'Memory of one command, or of one process without cgroups, in MiB',
          64,
        ),
        fileMb: limit(DEFAULT_LIMITS.fileMb, 'Largest file that a command may write, in MiB', 1),
        openFiles: limit(DEFAULT_LIMITS.openFiles, 'Open files of one process', 64),
      },
      { additionalProperties: false, description: 'Limits of one command' },
    ),
    'ai.agent.execEnv': Type.Array(
      Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', maxLength: 128, examples: ['EDITOR'] }),
      {
        default: [],
        maxItems: 100,
        description:
          'Environment variables of the host that commands get in addition to ' +
          'PATH, HOME, LANG, LC_*, TERM, TZ, TMPDIR, USER, SHELL',
      },
    ),
    'ai.agent.execAsk': Type.Optional(
      Type.Unknown({ deprecated: true, description: 'Obsolete, without effect. Use execApprovalMode' }),
    ),
    'ai.agent.execPlatformCli': Type.Object(
      {
        command: Type.Optional(
          Type.String({ ...WORD, description: 'First word of the command line of the chat platform' }),
        ),
        sensitive: Type.Array(Type.String({ minLength: 1, maxLength: 256, pattern: '\\S', examples: ['kick'] }), {
          default: SENSITIVE,
          description: 'Subcommands that need the approval of the owner',
        }),
      },
      {
        additionalProperties: false,
        description:
          'Command line of the chat platform. Under allowlist its subcommands pass unless they are sensitive',
      },
    ),
  },
} as const

export type ExecConfig = ConfigOf<typeof claims>

/** The policy for the agent, or for its sub-agents. */
export function policyOf(
  config: ExecConfig,
  subagent: boolean,
  where: Pick<ExecPolicy, 'paths' | 'hostPorts' | 'level'> = {},
): ExecPolicy {
  const mode = config['ai.agent.execApprovalMode']
  const { command, sensitive } = config['ai.agent.execPlatformCli']
  return {
    execSecurity: config['ai.agent.execSecurity'],
    execPreset: config['ai.agent.execPreset'],
    execAllowlist: config['ai.agent.execAllowlist'],
    execApprovalMode: subagent ? (config['ai.agent.subagentExecApprovalMode'] ?? mode) : mode,
    trust: config['ai.agent.execTrust'],
    unwalled: config['ai.agent.execUnwalled'],
    seen: [...config['ai.agent.execView'].read, ...config['ai.agent.execView'].write],
    platformCli: command === undefined ? undefined : { command, sensitive },
    ...where,
  }
}
