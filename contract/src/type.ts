// The TypeBox functions that declarations use. The published `@mynah/contract/type` is a bundle of this file, which is
// much faster to import than the whole library.
import {
  Array,
  Boolean,
  Enum,
  Integer,
  Literal,
  Null,
  Number,
  Object,
  Optional,
  Record,
  String,
  Union,
  Unknown,
  Unsafe,
} from 'typebox'

/**
 * Builders of JSON Schema 2020-12. `Static` is the TypeScript type of a schema, which is a plain, serialisable object.
 */
export const Type = {
  Array,
  Boolean,
  Enum,
  Integer,
  Literal,
  Null,
  Number,
  Object,
  Optional,
  Record,
  String,
  Union,
  Unknown,
  Unsafe,
} as const

export type { Static, TArray, TObject, TOptional, TProperties, TSchema, TUnknown } from 'typebox'
