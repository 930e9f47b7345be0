// Takes .cache/screenshots/<page>-<theme>-<width>.png of each page: `node console/tools/screenshots.mjs [base token]`.
// Without a host the pages show a busy one from example data; PAGES=logs,cron takes only those, LANGUAGES=zh-CN those
// in Chinese, as <page>-zh-CN-<theme>-<width>.png; LANGUAGES=en,zh-CN takes both.
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { serveConsole } from '../server/serve.mjs'
import { open } from '../test/dist/test/browser.js'
import { launch } from '../test/dist/test/launch.js'
import { exampleAnswers, pageAddresses } from '../test/dist/test/example-data.js'
import { healthy, standIn, TOKEN } from '../test/dist/test/stand-in.js'

const out = process.env['SCREENSHOTS'] ?? fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url))
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]

/** Waits until a page is at rest: nothing is asked for, nothing is loading, and two frames have passed. */
async function atRest(page) {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.querySelector('[aria-busy=true], .progress') === null)
  await page.waitForLoadState('load')
  await page.evaluate(() =>
    document.fonts.ready.then(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(resolve))
        }),
    ),
  )
}

/** Pages by file name; `ready` is what must be on the screen. */
const pages = [
  { name: 'dashboard', path: '/dashboard', ready: '.dash .lines' },
  { name: 'plugins', path: '/plugins', ready: 'tbody tr' },
  { name: 'plugin', path: '/plugins/chat', ready: '.tabs' },
  // Only a real host has the sandbox; it has messages.
  { name: 'sandbox', path: '/sandbox', ready: 'text=Commands:', real: true },
  { name: 'plugin-failed', path: '/plugins/marketplace', ready: '.trouble', standIn: true },
  { name: 'login', path: '/login', ready: 'form', signedOut: true },
  ...pageAddresses.map((page) => ({ ...page, example: true })),
]
const wanted = process.env['PAGES']?.split(',')
const languages = (process.env['LANGUAGES'] ?? 'en').split(',')
const looks = sizes.flatMap((viewport) =>
  ['light', 'dark'].flatMap((colorScheme) => languages.map((language) => ({ viewport, colorScheme, language }))),
)

const [base, token] = process.argv.slice(2)

/** Says `/help` as Alice, once, so that the sandbox shows a conversation. */
async function talk() {
  const scene = { endpointId: 'sandbox', channel: { type: 'private', id: 'alice' } }
  const call = async (type, data) =>
    (
      await (
        await fetch(`${base}/api/console/request`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ type, data }),
        })
      ).json()
    ).data
  const { messages } = await call('sandbox:history', scene)
  if (messages.length === 0)
    await call('sandbox:send', { ...scene, sender: { id: 'alice', name: 'Alice' }, content: '/help' })
}
const host = base ? undefined : await standIn()
const plain = healthy()
const example = { ...plain, ...exampleAnswers() }
const site = await serveConsole({ port: Number(process.env['PORT'] ?? 0) })
const browser = await launch()
try {
  await mkdir(out, { recursive: true })
  if (base) await talk()
  for (const { viewport, colorScheme, language } of looks) {
    const { page, context } = await open(browser, { viewport, colorScheme, reducedMotion: 'reduce' })
    const connection = { base: base ?? host.url, token: token ?? TOKEN }
    for (const { name, path, ready, signedOut, real, standIn: only, example: busy } of pages) {
      if ((real && !base) || ((only || busy) && base) || (wanted && !wanted.includes(name))) continue
      if (host) host.answers = busy ? example : plain
      await page.goto(site.url)
      await page.evaluate(
        ({ base, token, signedOut, language }) => {
          localStorage.setItem('mynah_locale', language)
          localStorage.setItem('mynah_api_base', base)
          if (signedOut) localStorage.removeItem('mynah_api_token')
          else localStorage.setItem('mynah_api_token', token)
          localStorage.setItem('mynah_hosts', JSON.stringify([{ base, label: 'prod-bot' }]))
        },
        { ...connection, signedOut, language },
      )
      await page.goto(site.url + path)
      await page.locator(ready).first().waitFor()
      if (signedOut) await page.locator('.finding .badge').waitFor()
      else await page.locator('.state.ok').waitFor()
      await atRest(page)
      await page.screenshot({
        fullPage: true,
        path: `${out}/${[name, ...(language === 'en' ? [] : [language]), colorScheme, viewport.width].join('-')}.png`,
        animations: 'disabled',
      })
    }
    await context.close()
  }
} finally {
  await browser.close()
  await site.close()
  await host?.close()
}
