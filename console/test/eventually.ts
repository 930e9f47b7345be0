import { until } from '@mynah/kernel/testing'

/**
 * Repeats an assertion until it holds: for what a page does in its own time after an action.
 *
 * @throws the error of the last try, when it does not hold within the default time of `until`
 */
export async function eventually(assertion: () => unknown): Promise<void> {
  let failure: unknown
  const holds = async (): Promise<boolean> => {
    try {
      await assertion()
      return true
    } catch (error) {
      failure = error
      return false
    }
  }
  await until(holds).catch(() => {
    throw failure
  })
}
