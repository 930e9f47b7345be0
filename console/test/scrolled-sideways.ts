// Finds what can be scrolled sideways, which nothing may on a narrow screen.
import type { Page } from 'playwright-core'

export const scrolledSideways = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll<HTMLElement>('main *')]
      .filter((part) => {
        const { overflowX } = getComputedStyle(part)
        const scrolls = part === document.documentElement || overflowX === 'auto' || overflowX === 'scroll'
        return scrolls && part.scrollWidth > part.clientWidth + 1
      })
      .map((part) => `${part.tagName}.${part.className} ${part.scrollWidth} > ${part.clientWidth}`),
  )
