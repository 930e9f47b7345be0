// The pure shell policy: no plugin, no kernel, nothing that runs a command.
export { evaluateCommand } from './evaluate.js'
export { MAX_COMMAND_BYTES } from './input-check.js'
export { PRESETS, READ_ONLY } from './presets.js'
export { ruleMatches, ruleProblem } from './rules.js'
export type {
  ExecApprovalMode,
  ExecDecision,
  ExecPaths,
  ExecPolicy,
  ExecPreset,
  ExecSecurity,
  ExecVerdict,
  OwnerRules,
  PartDecision,
  PlatformCli,
} from './types.js'
