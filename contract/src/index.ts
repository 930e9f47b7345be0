// Declarations, entities and error codes. The schema builder is in `./type`, validation in `./validate`.
export * from './codes.js'
export * from './contract.js'
export { isRecord, isShallow } from './json.js'
export { reducer } from './reduce.js'
export { matchingItem, noStoredSecretError, unmaskSecrets } from './unmask.js'
export * from './wire.js'
export * from './api/index.js'
