// What an entry gets as `@mynah/console/ui`.
export * from '../ui/index.js'
