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
      description: 'How strictly shell commands are restricted',
    }),
    'ai.agent.execPreset': Type.Enum(['readonly', 'network', 'development', 'custom'], {
      default: 'custom',
      description: 'Listed commands, cumulative',
    }),
    'ai.agent.execAllowlist': Type.Array(Type.String({ ...WORD, examples: ['git'] }), {
      default: [],
      maxItems: 1000,
      description: 'Further listed commands, merged with the preset: exact first words',
    }),
    'ai.agent.execApprovalMode': Type.Enum(MODES, {
      default: 'deny',
      description: 'What happens to a command that nothing covers',
    }),
    'ai.agent.subagentExecApprovalMode': Type.Optional(
      Type.Enum(MODES, { description: 'The same for sub-agents; as for the agent unless set' }),
    ),
    'ai.agent.execSandbox': Type.Enum(['auto', 'required', 'off'], {
      default: 'auto',
      description: 'Whether commands run in a sandbox: where it works, always or not at all, never',
    }),
    'ai.agent.execEnv': Type.Array(
      Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', maxLength: 128, examples: ['EDITOR'] }),
      {
        default: [],
        maxItems: 100,
        description:
          'Names of variables of the host that commands are given beside PATH, HOME, LANG, LC_*, TERM, TZ, TMPDIR, USER, SHELL',
      },
    ),
    'ai.agent.execAsk': Type.Optional(
      Type.Unknown({ deprecated: true, description: 'Obsolete and without effect: use execApprovalMode' }),
    ),
    'ai.agent.execPlatformCli': Type.Object(
      {
        command: Type.Optional(Type.String({ ...WORD, description: 'Its first word' })),
        sensitive: Type.Array(Type.String({ minLength: 1, maxLength: 256, pattern: '\\S', examples: ['kick'] }), {
          default: SENSITIVE,
          description: 'Subcommands that need the owner',
        }),
      },
      {
        additionalProperties: false,
        description:
          'The command line of the chat platform: subcommands pass under allowlist unless they are sensitive',
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
