// Measures how long the page does not answer, as on a slow machine.
import type { Browser, Page } from 'playwright-core'
import type { Bench } from './bench.js'

/** How much slower the machine of a reader is. */
const SLOWDOWN = 4
const MOST_MS = 50
const ATTEMPTS = 6

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Time that the thread had the processor, in microseconds. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/**
 * Returns the longest task of an action in ms, on the slow machine. The time is that of the processor, so other work
 * on this machine, which takes the processor from the page, does not count.
 */
async function longestTask(browser: Browser, page: Page, act: () => Promise<unknown>): Promise<number> {
  const settle = (): Promise<void> =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
    )
  await settle()
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  let trace: Buffer
  try {
    await act()
    await settle()
  } finally {
    trace = await browser.stopTracing()
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map((event) => threadOf(event)),
  )
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && pages.has(threadOf(event)))
  if (tasks.length === 0) throw new Error('The browser recorded no task of the page')
  return (Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000) * SLOWDOWN
}

/** Something that people do on a page; `attempt` counts from 1. */
type Act = (page: Page, attempt: number) => Promise<unknown>

/**
 * Opens `path`. Returns the actions of which even the fastest try had a long task, with its ms: garbage of earlier
 * tries only adds.
 */
export async function tooLong(
  bench: Bench,
  path: string,
  ready: string,
  acts: Readonly<Record<string, Act>>,
): Promise<Record<string, number>> {
  const { page, context } = await bench.signedIn(path, { reducedMotion: 'reduce' })
  await page.locator(ready).first().waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  const found: Record<string, number> = {}
  for (const [name, act] of Object.entries(acts)) {
    let best = Infinity
    for (let attempt = 1; attempt <= ATTEMPTS && best > MOST_MS; attempt += 1)
      best = Math.min(best, await longestTask(bench.browser, page, () => act(page, attempt)))
    if (best > MOST_MS) found[name] = Math.round(best)
  }
  await context.close()
  return found
}

/** Goes to a page by the console's own router, from one that shows little. */
export const visit =
  (path: string, ready: string): Act =>
  async (page) => {
    for (const [to, shown] of [
      ['/introspection/commands', 'tbody tr'],
      [path, ready],
    ] as const) {
      await page.evaluate((address) => {
        history.pushState(null, '', address)
        dispatchEvent(new PopStateEvent('popstate'))
      }, to)
      await page.locator(`main ${shown}`).first().waitFor()
    }
  }
