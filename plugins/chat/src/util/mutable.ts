/** `T` while it is built property by property, which is faster than spreading optional parts in hot paths. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] }
