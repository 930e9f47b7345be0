// The layout of each page at given widths of the window: nothing is squeezed, and nothing makes the page wider.
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { useBench } from './bench.js'
import { exampleAnswers, pageAddresses } from './example-data.js'
import { healthy } from './stand-in.js'

/** The least width of controls in px: what is written in fields must be seen, a button must be hit. */
const least = { field: 48, choice: 20, pane: 180 }

/** Returns what is too narrow on the page, or wider than it. */
const squeezed = (page: Page): Promise<string[]> =>
  page.evaluate((limits) => {
    const found: string[] = []
    const name = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${(element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 30)}"`
    const shown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true }) && !element.closest('.sr, .skip, .cm-announced, [hidden]')
    const report = (what: string, element: Element): void => {
      found.push(`${what} ${name(element)}`)
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push(`page of ${document.documentElement.scrollWidth}`)
    for (const element of document.querySelectorAll<HTMLElement>('main, main *')) {
      if (!shown(element) || element.closest('svg')) continue
      const { width, right } = element.getBoundingClientRect()
      const kind = element.matches(
        'textarea, select, .cm-editor, input:not([type=checkbox], [type=radio], [type=time])',
      )
        ? 'field'
        : element.matches('button, a.button') && !element.matches('p a, li a, td a, th a, dd a')
          ? 'choice'
          : undefined
      if (kind && width < limits[kind] && element.getAttribute('size') === null) report(kind, element)
      if (element.matches('.pane') && width < limits.pane) report('pane', element)
      // A page that scrolls by itself; tables of data, code and the editor do so on purpose.
      const scrolls = element.scrollWidth > element.clientWidth + 1
      if (element.matches('main, .page, .workbench, .pane, .inner, .section') && scrolls)
        report('sideways scroll', element)
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      if (!own || element.closest('.cm-editor, .grid, .diff, pre')) continue
      const cut = getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1
      if (width < 4 || (cut && element.clientWidth < 28)) report('text', element)
      if (right > innerWidth + 1 && !element.closest('.segments, [role=tablist], .table'))
        report('text beyond the edge', element)
    }
    return [...new Set(found)]
  }, least)

/** Describes the pages at each of `widths`, with the rail open. */
export function describeWidths(widths: readonly number[]): void {
  describe('the layout of each page', function () {
    this.timeout(240_000)
    const bench = useBench({ host: 'shared' })
    const addresses = [
      { path: '/dashboard', ready: '.wrongs' },
      { path: '/plugins', ready: 'tbody tr' },
      { path: '/plugins/chat', ready: '.tabs .section' },
      ...pageAddresses,
    ]

    for (const locale of ['en-GB', 'zh-CN'])
      it(`squeezes nothing and needs no sideways scroll from ${widths[0]} to ${widths.at(-1)} px, ${locale}`, async () => {
        bench.host.answers = { ...healthy(), ...exampleAnswers() }
        const { page, context } = await bench.signedIn('/dashboard', { locale, reducedMotion: 'reduce' })
        await page.locator('.state.ok').waitFor()
        const wrong = new Map<string, number[]>()
        for (const { path, ready } of addresses) {
          await page.setViewportSize({ width: 1280, height: 844 })
          await page.evaluate((to) => {
            history.pushState(null, '', to)
            dispatchEvent(new PopStateEvent('popstate'))
          }, path)
          await page.locator(`main ${ready}`).first().waitFor({ state: 'attached' })
          for (const width of widths) {
            await page.setViewportSize({ width, height: 844 })
            for (const what of await squeezed(page)) {
              const key = `${path}: ${what}`
              wrong.set(key, [...(wrong.get(key) ?? []), width])
            }
          }
        }
        expect([...wrong].map(([what, at]) => `${what} at ${at.join(', ')} px`).join('\n')).to.equal('')
        await context.close()
      })
  })
}
