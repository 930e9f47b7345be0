// Lists patterns that take more than linear time, each with the longest input that it gets and its reason.

/** Longest frame of a stack: the attribution skips longer lines (`MAX_LINE`). */
const FRAME = 2_000
/** Longest message of an error while a module loads: the engine shortens quotes. */
const MODULE_ERROR = 2_000

export const BOUNDED = [
  {
    length: FRAME,
    source: String.raw`^\s*at (?:async )?(?:(.*?) \()?(file:\/\/.*?|\/.*?|[A-Za-z]:\\.*?):(\d+):(\d+)\)?$`,
  },
  { length: MODULE_ERROR, source: String.raw`(?:file:\/\/)?\/[^\s'"]*\/node_modules\/` },
]
