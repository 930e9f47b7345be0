import type { ExecLevel } from '../levels/level.js'
import type { ExecPaths } from './exec-paths.js'

export type { ExecPaths } from './exec-paths.js'

/** How strictly shell commands are restricted. */
export type ExecSecurity = 'deny' | 'allowlist' | 'full'

/** A cumulative set of listed commands. `custom` lists none. */
export type ExecPreset = 'readonly' | 'network' | 'development' | 'custom'

/** The treatment of a command that nothing covers. */
export type ExecApprovalMode = 'ask' | 'allow' | 'deny'

/** The chat-platform CLI. Its sensitive subcommands need the owner, the others pass under `allowlist`. */
export interface PlatformCli {
  /** The command word, compared exactly. */
  readonly command: string
  /** Subcommands as words in order, such as `group kick`. Other words may come between them. */
  readonly sensitive: readonly string[]
}

/** The configuration that a command is judged by. */
export interface ExecPolicy {
  readonly execSecurity: ExecSecurity
  readonly execPreset: ExecPreset
  readonly execAllowlist: readonly string[]
  readonly execApprovalMode: ExecApprovalMode
  readonly platformCli?: PlatformCli | undefined
  /** The working directory and the protected paths of the host. The default is the usual layout. */
  readonly paths?: ExecPaths | undefined
  /** The level that holds commands. Without it, their text alone is judged. */
  readonly level?: ExecLevel | undefined
  /** Which commands run at level `wall` without a question. */
  readonly trust?: 'listed' | 'walled' | undefined
  /** Which listed commands run below level `wall` without a question: provable ones, or all whose text is covered. */
  readonly unwalled?: 'ask' | 'text' | undefined
  /** More folders that commands see. */
  readonly seen?: readonly string[] | undefined
  /** Ports on which this host answers. The default is 8086. */
  readonly hostPorts?: readonly number[] | undefined
}

/** The owner's permanent approvals. */
export interface OwnerRules {
  /** Answer every question of the policy with yes. */
  readonly bashAlways: boolean
  /** Linear-time patterns. Each must match one whole normalised subcommand. */
  readonly bashRules: readonly { readonly id: string; readonly pattern: string }[]
}

/** The answer of the policy, from the mildest to the strictest. */
export type ExecVerdict = 'allow' | 'ask' | 'deny'

/** The answer for one part of a command line. */
export interface PartDecision {
  /** The normalised subcommand. Where nothing else covers it, an owner rule is matched against this text. */
  readonly text: string
  readonly verdict: ExecVerdict
  /** The reason of the verdict: `read-only`, `preset`, `allowlist`, `blacklist`, `owner-rule:<id>`, … */
  readonly rule: string
  readonly reason: string
}

/** An absolute path that a command names. */
export interface OutsidePath {
  readonly path: string
  readonly write: boolean
}

/** The decision on a whole command line: the strictest verdict of its parts. */
export interface ExecDecision {
  readonly verdict: ExecVerdict
  readonly reason: string
  readonly parts: readonly PartDecision[]
  /** A pattern for an owner rule that would cover the first part not covered. Absent where no rule can cover a part. */
  readonly suggestion?: string
  /** Whether every part that reaches the network is covered for it, so that a sandbox may leave it open. */
  readonly network?: boolean | undefined
  /** The paths that the text writes out and no view has. */
  readonly outside?: readonly OutsidePath[] | undefined
  /** The hosts that the text writes out, as `name` or `name:port`. */
  readonly hosts?: readonly string[] | undefined
}
