// A look: a state of the host, a theme, a width, a language. In each, every page is free of findings, fits, and stays
// light.
import { expect } from 'chai'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { open } from './browser.js'
import { emptyAnswers, exampleAnswers, pageAddresses } from './example-data.js'
import { healthy, type Answer } from './stand-in.js'

export const states = ['data', 'empty', 'error', '503', 'loading'] as const
type PageState = (typeof states)[number]
export interface Look {
  readonly state: PageState
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  readonly locale?: string
}

/** Returns the name of a look for the title of a test. */
export const titleOf = ({ state, width, colorScheme, locale }: Look): string =>
  `${state}, ${colorScheme}, ${width} px${locale ? `, ${locale}` : ''}`

interface Address {
  readonly path: string
  readonly ready: string
}
type Answers = Record<string, Answer>

const trouble: Readonly<Record<'error' | '503' | 'loading', Answer>> = {
  error: { status: 500, error: 'The host failed; the cause is in its log' },
  503: { status: 503, error: 'AI service is still starting', code: 'not_ready' },
  loading: 'silence',
}
const example = { ...healthy(), ...exampleAnswers() }
/** Calls of the rail, which succeed in every state. Only the page has failures. */
const exampleIn = (state: PageState): Answers => {
  if (state === 'data') return example
  if (state === 'empty') return { ...example, ...emptyAnswers() }
  return Object.fromEntries(
    Object.keys(example).map((call) => [
      call,
      call === 'GET /stats' || call === 'GET /plugins' ? (example[call] as Answer) : trouble[state],
    ]),
  )
}

/** The pages that read what the rail reads: when they are in trouble, so is it. */
const firstPages: Readonly<Record<PageState, readonly Address[]>> = {
  data: [
    { path: '/dashboard', ready: '.wrongs' },
    { path: '/plugins', ready: 'tbody tr' },
    { path: '/plugins/chat', ready: '.tabs .section' },
  ],
  empty: [
    { path: '/dashboard', ready: '.empty' },
    { path: '/plugins', ready: '.empty' },
    { path: '/plugins/chat', ready: '.tabs .section' },
  ],
  error: ['/dashboard', '/plugins', '/plugins/chat'].map((path) => ({ path, ready: '.notice.err' })),
  503: ['/dashboard', '/plugins', '/plugins/chat'].map((path) => ({ path, ready: '.notice.warn' })),
  loading: ['/dashboard', '/plugins', '/plugins/chat'].map((path) => ({ path, ready: '.skeleton' })),
}
const firstIn = (state: PageState): Answers => {
  const plain = healthy()
  if (state === 'data') return plain
  if (state !== 'empty') return Object.fromEntries(Object.keys(plain).map((call) => [call, trouble[state]]))
  return {
    ...plain,
    'GET /plugins': { data: [] },
    'endpoint:list': { data: { endpoints: [] } },
    'GET /ready': { data: { status: 'ok', checks: {} } },
    'schema:get': { data: null },
    'GET /plugins/chat': {
      data: { ...(plain['GET /plugins/chat'] as { data: object }).data, features: [], contexts: [] },
    },
  }
}

/** Returns the rows of choices that broke, or of which a part is out of sight. */
const wrapped = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.segments')]
      .filter((row) => row.offsetHeight > 36 || row.scrollWidth > row.clientWidth + 1)
      .map((row) => row.innerText.replaceAll('\n', ' ')),
  )

/** Returns the buttons that no style of the console reaches: they have the border of the browser. */
const unstyled = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button')]
      .filter((button) => button.checkVisibility() && getComputedStyle(button).borderTopStyle === 'outset')
      .map((button) => button.className || button.innerText),
  )

const optionsOf = ({ width, colorScheme, locale }: Omit<Look, 'state'>): BrowserContextOptions => ({
  colorScheme,
  viewport: { width, height: 844 },
  reducedMotion: 'reduce',
  ...(locale ? { locale } : {}),
})

/** A browser, the console and a host that can be in any state; made in the body of a suite. */
export class Stage {
  readonly #bench = useBench({ host: 'shared' })

  /** Checks every page of the console in one look. */
  async inspectPages(look: Look): Promise<void> {
    await this.#inspect(look, firstIn(look.state), firstPages[look.state])
    const rest = pageAddresses.map(({ path, ready }) => ({ path, ready: look.state === 'data' ? ready : 'h1' }))
    await this.#inspect(look, exampleIn(look.state), rest, look.state === 'loading' ? [] : ['.skeleton'])
  }

  async #inspect(
    look: Look,
    answers: Answers,
    addresses: readonly Address[],
    gone: readonly string[] = [],
  ): Promise<void> {
    const { width } = look
    this.#bench.host.answers = answers
    const { page, context, problems } = await this.#bench.signedIn(addresses[0]?.path, optionsOf(look))
    await page.locator('.state.ok').waitFor()
    await page.evaluate(await axeSource())
    for (const { path, ready } of addresses) {
      // By the console's own router, so that nothing is loaded twice.
      await page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, path)
      await page.locator('main h1').first().waitFor()
      await page.locator(`main ${ready}`).first().waitFor()
      for (const selector of gone)
        await page.waitForFunction((found) => document.querySelector(`main ${found}`) === null, selector)
      expect(await findings(page), path).to.deep.equal([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).to.be.at.most(width)
      expect(await page.locator('*').count(), path).to.be.at.most(1500)
      expect(await unstyled(page), path).to.deep.equal([])
      expect(await wrapped(page), `${path}: choices that stand side by side stay in one line, whole`).to.deep.equal([])
    }
    // The browser reports refusals of the host, too. Any other error is a mistake of the page.
    expect(problems.filter((problem) => !/status of (?:404|500|503)/.test(problem))).to.deep.equal([])
    await context.close()
  }

  /** Checks the login page, and what lies over pages: palette, keys, the sheet of pages, menus. */
  async inspectOverlays(look: Omit<Look, 'state'>): Promise<void> {
    this.#bench.host.answers = healthy()
    const login = await open(this.#bench.browser, optionsOf(look))
    await login.page.goto(this.#bench.site.url)
    await login.page.getByLabel('Address of the host').fill(this.#bench.host.url)
    await login.page.getByText('Reachable').waitFor()
    await login.page.getByLabel('Token', { exact: true }).fill('wrong')
    await login.page.getByRole('button', { name: 'Connect', exact: true }).click()
    await login.page.getByText('The host refused the token').waitFor()
    expect(await this.#findingsOf(login.page), 'login').to.deep.equal([])
    await login.context.close()

    const { page, context } = await this.#bench.signedIn('/plugins/chat?tab=settings', optionsOf(look))
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByLabel('prefix', { exact: true }).waitFor()
    expect(await this.#findingsOf(page), 'settings').to.deep.equal([])
    for (const [key, dialog] of [
      ['Control+k', '.palette [role=option]'],
      ['?', '.dialog .keys'],
    ] as const) {
      await page.keyboard.press(key)
      await page.locator(dialog).first().waitFor()
      expect(await findings(page), key).to.deep.equal([])
      await page.keyboard.press('Escape')
      await page.locator(dialog).first().waitFor({ state: 'detached' })
    }
    if (look.width < 760) {
      await page.getByRole('button', { name: 'Open pages' }).click()
      await page.locator('.dialog.sheet').waitFor()
      expect(await findings(page), 'sheet of pages').to.deep.equal([])
      await page.keyboard.press('Escape')
      await page.locator('.dialog.sheet').waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('menu').first().waitFor()
    expect(await findings(page), 'menu').to.deep.equal([])
    await context.close()
  }

  async #findingsOf(page: Page): Promise<string[]> {
    await page.evaluate(await axeSource())
    return findings(page)
  }
}
