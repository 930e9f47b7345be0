// axe on every section of the configuration of a real host, with all that can be unfolded.
import { join } from 'node:path'
import { expect } from 'chai'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { startHost, type RealHost } from './real-host.js'
import { signedIn } from './signed-in.js'

const token = 'token-of-a-test'

describe('the form of a section with all of its items open', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: RealHost
  before(async () => {
    host = await startHost((port) => [
      'plugins: [http-core, console-rpc, events, entries, management, workspace, logs, database, chat, adapter-sandbox, exec-security, ai, agent, toolbox, skills, memory, tasks]',
      'http:',
      `  port: ${port}`,
      `  token: ${token}`,
      `  corsOrigins: ["${bench.site.url}"]`,
      `  tokens: [{ token: ${token}-2, scope: full, name: ops }]`,
      'endpoints: [{ adapter: sandbox, id: sandbox, master: me }]',
      'ai:',
      '  providers:',
      '    practice: { sdk: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", apiKey: none }',
      '    openai: { sdk: openai, apiKey: "${OPENAI_API_KEY:-none}" }',
      '  agents:',
      '    main: { provider: practice, model: practice-model }',
    ])
    bench.atEnd(() => host.stop())
  })

  for (const colorScheme of ['light', 'dark'] as const)
    for (const section of ['ai', 'http', 'endpoints'])
      it(`is accessible: ${section} (${colorScheme})`, async () => {
        const { page, context } = await signedIn(
          bench.browser,
          bench.site,
          { url: host.url, token },
          `/config?section=${section}`,
          { viewport: { width: 768, height: 1024 }, reducedMotion: 'reduce', colorScheme },
        )
        await page.locator('.config-form h2').waitFor()
        const summaries = page.locator('.config-form details:not([open]) > summary')
        await summaries.first().waitFor()
        // Items may have items themselves.
        for (let count = await summaries.count(); count > 0; count = await summaries.count())
          await page.evaluate(() => {
            for (const item of document.querySelectorAll<HTMLDetailsElement>('.config-form details')) item.open = true
          })
        await page.evaluate(await axeSource())
        expect(await findings(page)).to.deep.equal([])
        if (process.env['SHOTS'])
          await page.screenshot({
            path: join(process.env['SHOTS'], `config-open-${section}-${colorScheme}.png`),
            fullPage: true,
          })
        await context.close()
      })
})
