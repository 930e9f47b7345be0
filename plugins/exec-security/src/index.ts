// The package entry: the shell policy and the runner.
export * from './policy/index.js'
export { runCommand } from './run/run-command.js'
export type { RunOptions, RunResult } from './run/run-command.js'
