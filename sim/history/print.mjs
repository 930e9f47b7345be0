// Prints a history as a test that can be pasted into any test file, and as a file of `sim/found`.

const short = (value) => JSON.stringify(value).replaceAll('},{', '},\n      {').replaceAll('],[', '],\n      [')

/** Returns the source of a mocha test that fails as long as the history breaks a sentence. */
export function asTest(plan, { sentence, text }) {
  const lines = Object.entries(plan)
    .filter(([key, value]) => value !== undefined && key !== 'verbose')
    .map(([key, value]) => `    ${key}: ${short(value)},`)
  return [
    "import { expectSound } from './sim/history/expect-sound.mjs'",
    '',
    `// ${text}`,
    `it(${JSON.stringify(`holds in a history of seed ${plan.seed}: ${sentence}`)}, () =>`,
    '  expectSound({',
    ...lines,
    '  }))',
  ].join('\n')
}
