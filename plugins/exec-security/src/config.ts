// The configuration that this plugin claims, and the policy that follows from it.
import { Type } from '@mynah/contract/type'
import type { ConfigOf } from '@mynah/kernel'
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
      description: 'Use of the sandbox: where it works (auto), for every command (required), never (off)',
    }),
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
  where: Pick<ExecPolicy, 'paths' | 'hostPorts'> = {},
): ExecPolicy {
  const mode = config['ai.agent.execApprovalMode']
  const { command, sensitive } = config['ai.agent.execPlatformCli']
  return {
    execSecurity: config['ai.agent.execSecurity'],
    execPreset: config['ai.agent.execPreset'],
    execAllowlist: config['ai.agent.execAllowlist'],
    execApprovalMode: subagent ? (config['ai.agent.subagentExecApprovalMode'] ?? mode) : mode,
    platformCli: command === undefined ? undefined : { command, sensitive },
    ...where,
  }
}
