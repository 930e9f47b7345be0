type Step = (this: unknown) => unknown
type Declare = (title: string, body: Step) => void

interface Case {
  readonly title: string
  readonly run: Step
}

class Skipped extends Error {}

/** The value of `this` in a test. */
const CONTEXT = {
  timeout: () => undefined,
  skip: (): never => {
    throw new Skipped()
  },
}

/**
 * Runs the tests that a function declares, one after the other, without telling mocha: tests that have to fail are no
 * failures here.
 *
 * @returns the titles of the tests that failed, with the reasons
 */
export async function failuresOf(declare: () => void): Promise<Map<string, string>> {
  const before: Step[] = []
  const after: Step[] = []
  const cases: Case[] = []
  const add = (steps: Step[]) => (step: Step) => void steps.push(step)
  const describe: Declare = (_, body) => void body.call(CONTEXT)
  const it: Declare = (title, run) => void cases.push({ title, run })
  const fakes = { describe, it, beforeEach: add(before), afterEach: add(after) }
  const real = Object.fromEntries(Object.keys(fakes).map((name) => [name, (globalThis as never)[name]]))
  Object.assign(globalThis, fakes)
  try {
    declare()
  } finally {
    Object.assign(globalThis, real)
  }
  const failures = new Map<string, string>()
  for (const { title, run } of cases) {
    try {
      for (const step of [...before, run]) await step.call(CONTEXT)
    } catch (error) {
      if (!(error instanceof Skipped)) failures.set(title, String(error))
    } finally {
      for (const step of after) await step.call(CONTEXT)
    }
  }
  return failures
}
