// Types for browsers. This sub-path has no file at run time, so that pages load no schemas.
export type * from './codes.js'
export type * from './contract.js'
export type * from './api/index.js'
