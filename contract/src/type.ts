// The schema builder: the few TypeBox functions that declarations here and in plugins are written with.
// The published `@mynah/contract/type` is this file bundled, so that importing it costs milliseconds, not the whole library.
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

/** Builders of JSON Schema 2020-12 whose TypeScript type follows (`Static`). A schema is a plain, serialisable object. */
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
