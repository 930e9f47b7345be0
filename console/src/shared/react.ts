// Gives entries the shell's own copy for the bare name of this file.
// @ts-expect-error The types of compat are one object, the module has names.
export * from 'preact/compat'
export { default } from 'preact/compat'
