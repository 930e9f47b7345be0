// Types for browsers: this sub-path has no file at run time, so that no page ever pays for a schema.
export type * from './codes.js'
export type * from './contract.js'
export type * from './api/index.js'
