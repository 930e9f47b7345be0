// axe on every dialog that a page opens.
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import type { TestPage } from './browser.js'
import { eventually } from './eventually.js'
import { exampleAnswers, SESSION } from './example-data.js'
import { visit } from './long-tasks.js'
import { healthy, type StandIn } from './stand-in.js'

/** A selector to click, or whatever else opens the dialog. */
type Step = string | ((page: Page, host: StandIn) => Promise<unknown>)

/** A way to a dialog. */
interface Way {
  readonly path: string
  /** An element that shows that the page is there. */
  readonly ready: string
  readonly steps: readonly Step[]
  /** Something is typed on the way, so the page is loaded for it, and closed with it. */
  readonly types?: true
}

const way = (path: string, ready: string, ...steps: Step[]): Way => ({ path, ready, steps })
const typing = (path: string, ready: string, ...steps: Step[]): Way => ({ path, ready, steps, types: true })

const keys =
  (...pressed: readonly string[]): Step =>
  async (page) => {
    for (const key of pressed) await page.keyboard.press(key)
  }
const fill =
  (selector: string, text: string): Step =>
  (page) =>
    page.locator(selector).first().fill(text)
const seen =
  (selector: string): Step =>
  (page) =>
    page.locator(selector).first().waitFor()

const MORE = '.page-head .icon-button'
const session = `/agent/sessions?key=${encodeURIComponent(SESSION)}`
const city = fill('[data-setting="weather.city"] input', 'Bergen')
const write: Step = async (page) => {
  await page.locator('.cm-content').click()
  await page.keyboard.type('x')
  await page.locator('.file-foot .button.quiet').first().waitFor()
}

const ways: readonly Way[] = [
  // The name of the host is in the rail, or behind a button of the bar.
  way('/dashboard', '.wrongs', (page) => page.locator('.brand:visible, .bar .only-narrow:visible').last().click()),
  way('/dashboard', '.wrongs', MORE, '[role=menuitem].danger'),
  way('/database?table=quotes', '.grid tbody th', '.conditions .button'),
  typing('/database?table=quotes', '.grid tbody th', '.grid .remove', '.draft-bar .primary'),
  way('/database?table=quotes', '.grid tbody th', MORE, '[role=menuitem].danger'),
  way('/database?table=settings', '.db-split tbody tr', '.db-split tbody button', '.db-split .button.danger'),
  way('/logs', '.vrow', MORE, '[role=menuitem].danger'),
  way('/cron', 'tbody tr', 'tbody .icon-button', '[role=menuitem].danger'),
  way('/cron', 'tbody tr', 'tbody .icon-button', '[role=menuitem] >> nth=2'),
  way('/assistant/jobs?open=job_4f7c', '.runs tbody tr', '.runs > p .button'),
  way('/assistant/jobs?open=job_4f7c', '.runs tbody tr', '.runs tbody .button'),
  way('/agent/approvals', '.approval tbody tr', '.page-head .button'),
  way('/agent/approvals', '.approval tbody tr', '.approval .suggest .button'),
  way('/agent/approvals', '.approval tbody tr', '.rules .linkish:visible'),
  way('/files', '[role=treeitem]', '.page-head .button'),
  way('/files', '[role=treeitem]', '.page-head .button >> nth=1'),
  way('/files', '[role=treeitem]', MORE, '[role=menuitem]'),
  way('/files', '[role=treeitem]', '[role=treeitem]', MORE, '[role=menuitem] >> nth=1'),
  typing('/files?path=skills/deploy/SKILL.md', '.cm-line', write, '.file-foot .button.quiet'),
  typing(
    '/files?path=skills/deploy/SKILL.md',
    '.cm-line',
    write,
    async (page, host) => {
      host.answers['files:read'] = { data: { content: 'Written elsewhere', size: 17, etag: 'e2' } }
      await page.evaluate(() => dispatchEvent(new Event('focus')))
    },
    '.strip-line.warn .button',
  ),
  typing('/env', '.env-table tbody tr', fill('.env-table input', 'other'), seen('.draft-bar'), keys('Control+s')),
  way('/plugins', 'tbody tr', 'tbody .icon-button', '[role=menuitem].danger'),
  way('/plugins', '.plain-list .button', '.plain-list .button'),
  way('/config', '.config-field', MORE, '[role=menuitem] >> nth=1', seen('dialog .diff')),
  typing(
    '/config?section=weather',
    '.config-field',
    city,
    seen('.draft-bar'),
    async (_page, host) => {
      const all = host.answers['config:get-all'] as { data: { config: object } }
      const text = host.answers['config:get-yaml'] as { data: { yaml: string } }
      host.answers['config:get-all'] = {
        data: { ...all.data, config: { ...all.data.config, weather: { city: 'Turku' } } },
      }
      host.answers['config:get-yaml'] = { data: { ...text.data, yaml: text.data.yaml.replace('Oslo', 'Turku') } }
      host.push('config:updated', {})
    },
    '.disputed .button',
  ),
  way('/hosts', '.cluster-places tbody tr', '.cluster-hosts tbody .button'),
  way('/hosts', '.cluster-places tbody tr', '.cluster-hosts tbody .button >> nth=2'),
  way('/hosts', '.cluster-places tbody tr', '.cluster-places tbody .button'),
  way('/agent/models', '#servers tbody tr', '.held-tool .button'),
  way('/agent/knowledge?open=house', '.table .table tbody .button', '.table .table tbody .button'),
  way(session, '.turn', '.turn-line .button.quiet'),
  way(
    session,
    '.turn',
    async (page) => {
      const fold = page.locator('.points-fold')
      await fold.waitFor({ state: 'attached' })
      if (await fold.isVisible()) await fold.click()
    },
    '.points li >> nth=1 >> button',
  ),
  way(
    '/inbox',
    '.talks li',
    (page) => page.locator('.requests .comment').first().waitFor({ state: 'attached' }),
    keys('x'),
  ),
  way('/endpoints/irc/libera', '.unsent li', '.unsent .button'),
  way('/endpoints/telegram/support', '.members tbody tr', '.members tbody .icon-button', '[role=menuitem].danger'),
  way('/endpoints/telegram/support', '.members tbody tr', '.members tbody .icon-button', '[role=menuitem] >> nth=2'),
  way('/endpoints/telegram/support', '.members tbody tr', 'tbody .icon-button >> nth=-1', '[role=menuitem].danger'),
  ...['primary', 'plain'].map((kind) =>
    way('/marketplace/mynah-plugin-matrix', '.readme', `main .row > .button.${kind}`, seen('dialog .frame')),
  ),
]

interface DialogLook {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  readonly locale: string
}

/** Checks that a dialog begins on a field or on the safe button, so that Enter changes nothing. */
const beginsSafely = (page: Page): Promise<void> =>
  eventually(async () =>
    expect(
      await page.evaluate(() => {
        const active = document.activeElement
        return active?.closest('dialog[open]') !== null && !active?.matches('button.primary, button.danger')
      }),
    ).to.equal(true),
  )

/** Describes the dialogs in each of the looks. */
export function describeDialogs(looks: readonly DialogLook[]): void {
  describe('opened dialogs', function () {
    this.timeout(600_000)
    const bench = useBench({ host: 'shared' })

    for (const { width, colorScheme, locale } of looks)
      it(`are accessible: ${width} px, ${colorScheme}, ${locale}`, async () => {
        const open = async (path: string): Promise<TestPage> => {
          const opened = await bench.signedIn(path, {
            viewport: { width, height: 1024 },
            reducedMotion: 'reduce',
            colorScheme,
            locale,
          })
          await opened.page.locator('.state.ok').waitFor()
          await opened.page.evaluate(await axeSource())
          return opened
        }
        bench.host.answers = { ...healthy(), ...exampleAnswers() }
        const shared = await open('/introspection/commands')
        for (const item of ways) {
          bench.host.answers = { ...healthy(), ...exampleAnswers() }
          const { page, context } = item.types ? await open(item.path) : shared
          if (!item.types) await visit(item.path, item.ready)(page, 1)
          await inspect(page, bench.host, item)
          if (item.types) await context.close()
        }
        await shared.context.close()
      })
  })
}

/** Opens a dialog, checks it, and closes it by Escape. */
async function inspect(page: Page, host: StandIn, { path, ready, steps }: Way): Promise<void> {
  await page.locator(`main ${ready}`).first().waitFor()
  for (const step of steps) await (typeof step === 'string' ? page.locator(step).first().click() : step(page, host))
  const dialog = page.locator('dialog[open]')
  await dialog.waitFor()
  expect(await findings(page), `${path} ${steps.filter((step) => typeof step === 'string').join(', ')}`).to.deep.equal(
    [],
  )
  await beginsSafely(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}
