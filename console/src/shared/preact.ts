// What an entry gets for the bare name of this file: the shell's own copy.
export * from 'preact'
