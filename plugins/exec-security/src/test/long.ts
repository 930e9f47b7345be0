// How much of what is generated a run looks at: `npm run test:exec` takes all of it, `npm test` a part with the same
// assertions.

/** Whether this is the long form. */
export const LONG = process.env.MYNAH_EXEC_LONG !== undefined

/** A number of cases, for each of the two forms. */
export const cases = (short: number, long: number): number => (LONG ? long : short)
