// Objects that are filled property by property: where one has parts that may be missing, that is faster than spreading them.

/** `T` while it is made. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] }
