// Measures how long the page does not answer, in a browser on a slow machine.
import type { Page } from 'playwright-core'

/** The slowdown of the processor. */
const SLOWDOWN = 4

/** Slows the page down, and returns what tells the longest task of an action in ms. Tasks below 50 ms count as 0. */
export async function watchTasks(page: Page): Promise<(act: () => Promise<unknown>) => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { tasks })
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
      entryTypes: ['longtask'],
    })
  })
  const settle = (): Promise<void> =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
    )
  return async (act) => {
    await settle()
    await page.evaluate(() => {
      ;(globalThis as unknown as { tasks: number[] }).tasks.length = 0
    })
    await act()
    await settle()
    return Math.max(0, ...(await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks)))
  }
}
