// Patterns that grow faster than their input, each with the longest input that it gets and what keeps it from being longer.

/** A frame of a stack: longer lines are passed over (`MAX_LINE` of the attribution). */
const FRAME = 2_000
/** A message of an error while a module is loaded: the engine cuts what it quotes. */
const MODULE_ERROR = 2_000

export const BOUNDED = [
  {
    length: FRAME,
    source: String.raw`^\s*at (?:async )?(?:(.*?) \()?(file:\/\/.*?|\/.*?|[A-Za-z]:\\.*?):(\d+):(\d+)\)?$`,
  },
  { length: MODULE_ERROR, source: String.raw`(?:file:\/\/)?\/[^\s'"]*\/node_modules\/` },
]
