// What crosses the wire: declarations, entities, codes. Schemas only; the schema builder is at `./type`, checking at `./validate`.
export * from './codes.js'
export * from './contract.js'
export { isRecord, isShallow } from './json.js'
export { reducer } from './reduce.js'
export * from './wire.js'
export * from './api/index.js'
