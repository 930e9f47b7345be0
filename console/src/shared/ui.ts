// The module that entries import as `@mynah/console/ui`.
export * from '../ui/index.js'
