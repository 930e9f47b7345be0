// The package entry: the shell policy and the runner.
export * from './policy/index.js'
