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
    const nameOf = (element: Element): string => {
      const text = (element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 30)
      return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${text}"`
    }
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('svg, .sr, .skip, .cm-announced, [hidden]')
    const kindOf = (element: Element): keyof typeof limits | undefined => {
      if (element.matches('textarea, select, .cm-editor, input:not([type=checkbox], [type=radio])')) return 'field'
      if (element.matches('button, a.button')) return 'choice'
      return element.matches('.pane') ? 'pane' : undefined
    }
    const hasText = (element: Element): boolean =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
    /** Tables of data, code and the editor scroll on purpose. */
    const mayScroll = (element: Element): boolean => element.closest('.cm-editor, .grid, .diff, pre') !== null
    const scrolls = (element: Element): boolean => element.scrollWidth > element.clientWidth + 1
    const isCut = (element: Element): boolean =>
      getComputedStyle(element).overflowX !== 'visible' && scrolls(element) && element.clientWidth < 28
    /** Whether a word of a button goes over two lines. Chinese may break anywhere. */
    const isBroken = (element: Element): boolean => {
      const range = document.createRange()
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const { index, 0: word } of (text.textContent ?? '').matchAll(/[\w…]+/g)) {
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) return true
        }
      return false
    }
    const wrongOf = (element: HTMLElement): string[] => {
      const { width, right } = element.getBoundingClientRect()
      const kind = kindOf(element)
      const text = hasText(element) && !mayScroll(element)
      const isBeyond = right > innerWidth + 1 && !element.closest('.segments, [role=tablist], .table')
      return [
        ...(kind && width < limits[kind] ? [kind] : []),
        ...(kind === 'choice' && isBroken(element) ? ['broken word'] : []),
        ...(element.matches('main, .page, .workbench, .pane, .inner, .section') && scrolls(element) ? ['scrolls'] : []),
        ...(text && (width < 4 || isCut(element)) ? ['text'] : []),
        ...(text && isBeyond ? ['beyond the edge'] : []),
      ].map((what) => `${what} ${nameOf(element)}`)
    }
    const { scrollWidth } = document.documentElement
    const found = [...document.querySelectorAll<HTMLElement>('main, main *')].filter(isShown).flatMap(wrongOf)
    return [...new Set(scrollWidth > innerWidth ? [`the page of ${scrollWidth} px`, ...found] : found)]
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
      it(`squeezes nothing and never scrolls sideways, ${widths[0]} to ${widths.at(-1)} px, ${locale}`, async () => {
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
