// Gives entries the shell's own copy for the bare name of this file.
export * from 'preact/jsx-runtime'
