// What an entry gets for the bare name of this file: the shell's own copy.
// @ts-expect-error The types of compat are one object, the module has names.
export * from 'preact/compat'
export { default } from 'preact/compat'
