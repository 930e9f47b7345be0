// The page of approvals: what a request reaches, for this once or for good, and what commands were kept from.
import { expect } from 'chai'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@mynah/sdk'
import type { Locator } from 'playwright-core'
import { skipBecause } from '@mynah/kernel/testing'
import { axeSource, findings } from './axe.js'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { exampleAnswers } from './example-data.js'
import { startHost } from './real-host.js'
import { scrolledSideways } from './scrolled-sideways.js'
import { signedIn } from './signed-in.js'
import { healthy, type Answer } from './stand-in.js'

const PATH = '/agent/approvals'
const LONG = `curl -o ${'x'.repeat(400)} https://downloads.example.org/`

/** Returns the edges of each found part. */
const edges = (parts: Locator) =>
  parts.evaluateAll((found) =>
    found.map((part) => {
      const { top, bottom, width } = part.getBoundingClientRect()
      return { top, bottom, width }
    }),
  )

describe('the page of approvals', function () {
  this.timeout(240_000)
  const bench = useBench()
  const answered =
    (params: Readonly<Record<string, unknown>>[]): Answer =>
    (given) => {
      params.push(given)
      const { pending } = (answersOf('exec:pending') as { data: { pending: object[] } }).data
      return { data: { ...pending[1], status: 'approved' } }
    }
  const answersOf = (call: string): Answer => exampleAnswers()[call] as Answer

  for (const colorScheme of ['light', 'dark'] as const)
    it(`scrolls nothing sideways at 390 px under a long command, and is accessible: ${colorScheme}`, async () => {
      const { data } = answersOf('exec:pending') as { data: { pending: Record<string, unknown>[] } }
      const [bash, host] = data.pending
      const parts = [{ text: LONG, verdict: 'ask', rule: 'x', reason: 'curl: no rule matches' }]
      const title = `${LONG.slice(0, 120)}…`
      bench.host.answers = {
        ...healthy(),
        ...exampleAnswers(),
        'exec:pending': { data: { ...data, pending: [{ ...bash, title, command: LONG, parts }, host] } },
      }
      const viewport = { width: 390, height: 844 }
      const { page, context, problems } = await bench.signedIn(PATH, { colorScheme, viewport, reducedMotion: 'reduce' })
      await page.locator('.approval').nth(1).waitFor()
      await page.getByRole('heading', { name: 'Refused lately' }).waitFor()
      await page.getByRole('button', { name: 'Allow for good downloads.example.org' }).waitFor()
      expect(await scrolledSideways(page)).to.deep.equal([])
      const card = page.locator('.approval').first()
      expect((await card.innerText()).split('x'.repeat(100)).length - 1, 'the text and its part').to.be.at.most(8)
      expect(await card.locator('.command p').count(), 'the title does not repeat the command').to.equal(0)
      expect(await page.locator('.approval').nth(1).locator('.command p').first().textContent()).to.equal(
        'Reach downloads.example.org',
      )
      await page.evaluate(await axeSource())
      expect(await findings(page)).to.deep.equal([])
      expect(problems).to.deep.equal([])
      await context.close()
    })

  for (const locale of ['en', 'zh-CN'])
    it(`gives permanent rules and answered commands the width of a phone: ${locale}`, async () => {
      const answer = <T>(call: string): T => (answersOf(call) as { data: T }).data
      const { endpoints } = answer<{ endpoints: { bashRules: object[] }[] }>('exec:standing')
      const [first, ...others] = endpoints
      const rule = { ...first?.bashRules[0], id: 'long', pattern: `^${LONG}$` }
      const history = answer<{ approvals: object[] }>('exec:history')
      bench.host.answers = {
        ...healthy(),
        ...exampleAnswers(),
        'exec:standing': {
          data: { endpoints: [{ ...first, bashRules: [...(first?.bashRules ?? []), rule] }, ...others] },
        },
        'exec:history': {
          data: {
            ...history,
            approvals: [{ ...history.approvals[0], title: LONG, command: LONG, status: 'approved' }],
          },
        },
      }
      const viewport = { width: 390, height: 844 }
      const { page, context, problems } = await bench.signedIn(PATH, { locale, viewport, reducedMotion: 'reduce' })
      const rules = page.locator('.standing .rules code').filter({ visible: true })
      await rules.first().waitFor()
      const pane = (await page.locator('.standing').boundingBox())?.width ?? Infinity
      expect(await rules.count()).to.be.at.least(2)
      for (const { width } of await edges(rules)) expect(width / pane, 'of the pane').to.be.at.least(0.8)
      const command = page.locator('code.breaks', { hasText: LONG })
      await command.waitFor()
      const row = page.locator('tr', { has: command })
      const outcome = row.getByText(locale === 'en' ? 'approved' : '已批准').filter({ visible: true })
      expect(await outcome.count(), 'the outcome is shown once').to.equal(1)
      const [[said], [became]] = [await edges(command), await edges(outcome)]
      expect(became?.top, 'the outcome is below the command').to.be.at.least(said?.bottom ?? Infinity)
      expect(await scrolledSideways(page)).to.deep.equal([])
      await page.evaluate(await axeSource())
      expect(await findings(page)).to.deep.equal([])
      const shown = await rules.count()
      await page.setViewportSize({ width: 1440, height: 844 })
      await page.locator('.standing tr.below').first().waitFor({ state: 'hidden' })
      expect(await rules.count(), 'each rule is shown once at any width').to.equal(shown)
      await page.setViewportSize(viewport)
      await page.locator('.standing tr.below li', { hasText: LONG }).getByRole('button').press('Enter')
      await page.getByRole('dialog').getByText(rule.pattern).waitFor()
      expect(problems).to.deep.equal([])
      await context.close()
    })

  it('shows what holds a request and what it reaches', async () => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
    const { page, context } = await bench.signedIn(PATH)
    const card = page.locator('.approval').first()
    await card.getByText('a view of its own').waitFor()
    const reach = await card.locator('.reach').innerText()
    for (const text of ['workspace/site', '/srv/shared', 'registry.npmjs.org', '1 more'])
      expect(reach, text).to.contain(text)
    expect(await card.getByRole('button', { name: /for good/ }).count(), 'it adds nothing').to.equal(0)
    await context.close()
  })

  it('approves for good by the keyboard, and for once', async () => {
    const given: Readonly<Record<string, unknown>>[] = []
    bench.host.answers = { ...healthy(), ...exampleAnswers(), 'exec:answer': answered(given) }
    const { page, context } = await bench.signedIn(PATH)
    const card = page.locator('.approval').nth(1)
    await card.getByText('is written to ai.agent.execHosts').waitFor()
    await card.getByRole('button', { name: 'Approve once' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('downloads.example.org is allowed for good, in ai.agent.execHosts').waitFor()
    await page.locator('.approval').first().getByRole('button', { name: 'Approve once' }).focus()
    await page.keyboard.press('Space')
    await eventually(async () => expect(given).to.have.length(2))
    expect(given[0]).to.deep.include({ id: '81bc', approve: true, forGood: true })
    expect(given[1]).to.deep.include({ id: '7f3a', approve: true }).and.to.not.have.property('forGood')
    await context.close()
  })

  it('offers nothing for good that cannot be, and says why', async () => {
    const { data } = answersOf('exec:pending') as { data: { pending: Record<string, unknown>[] } }
    const [, host] = data.pending as [unknown, Record<string, unknown>]
    const offers = [{ ...(host['offers'] as object[])[0], problem: 'ai.agent.execNetwork is none' }]
    bench.host.answers = {
      ...healthy(),
      ...exampleAnswers(),
      'exec:pending': { data: { ...data, pending: [{ ...host, offers }] } },
    }
    const { page, context } = await bench.signedIn(PATH)
    await page.getByText('cannot be allowed, because ai.agent.execNetwork is none.').waitFor()
    expect(await page.getByRole('button', { name: 'Approve, and allow for good' }).count()).to.equal(0)
    await context.close()
  })

  it('allows for good what was refused, in the file of a real host', async function () {
    const token = 'token-of-a-test'
    const host = await startHost(
      (port) => [
        'plugins: [http-core, console-rpc, events, entries, management, workspace, chat, adapter-sandbox, exec-security, ./runs.mjs]',
        `http: { port: ${port}, token: ${token}, corsOrigins: ["${bench.site.url}"] }`,
        'ai:',
        '  agent:',
        '    execSecurity: allowlist',
        '    execPreset: network',
        '    execApprovalMode: ask',
        '    execNetwork: listed # the owner says which',
        'endpoints:',
        '  - { adapter: sandbox, id: sandbox, master: alice }',
      ],
      (folder) => writeFile(join(folder, 'runs.mjs'), RUNS),
    )
    bench.atEnd(() => host.stop())
    const client = createClient({ base: host.url, token })
    bench.atEnd(() => client.close())
    const { level } = await client.rpc('exec:pending')
    if (level !== 'wall') skipBecause(this, 'level wall does not work here')
    const say = (content: string) =>
      client.rpc('sandbox:send', {
        endpointId: 'sandbox',
        channel: { type: 'group', id: 'lobby', name: 'Lobby' },
        sender: { id: 'alice', name: 'Alice' },
        content,
      })
    const opened = await signedIn(bench.browser, bench.site, { url: host.url, token }, PATH)
    await opened.page.getByText('Commands were kept from nothing').waitFor()
    await say('/run curl -s http://host.invalid/')
    const card = opened.page.locator('.approval', { hasText: 'Reach host.invalid' })
    await card.getByText('a view of its own').waitFor()
    await opened.page.getByRole('button', { name: 'Allow for good host.invalid' }).click()
    await opened.page.getByText('allowed now').waitFor()
    await eventually(async () => {
      const text = await readFile(join(host.folder, 'mynah.config.yml'), 'utf8')
      expect(text)
        .to.contain('execNetwork: listed # the owner says which')
        .and.to.match(/execHosts:\s+- host\.invalid/)
    })
    await card.waitFor({ state: 'detached' })
    await say('/run ls -d /srv')
    const path = opened.page.locator('.approval', { hasText: '/srv' })
    await path.getByRole('button', { name: 'Approve, and allow for good' }).click()
    await eventually(async () =>
      expect(await readFile(join(host.folder, 'mynah.config.yml'), 'utf8')).to.match(/read:\s+- \/srv/),
    )
    expect(opened.problems).to.deep.equal([])
    await opened.context.close()
  })
})

/** A plugin whose command runs what it is given. */
const RUNS = `
import { definePlugin } from '@mynah/kernel'
import { commands, defineCommand, param } from '@mynah/plugin-chat/api'
import { ExecSecurity } from '@mynah/plugin-exec-security/api'

export default definePlugin({
  name: 'runs',
  needs: { exec: ExecSecurity },
  setup(ctx) {
    ctx.contribute(commands, defineCommand({
      name: 'run',
      description: 'Runs a command',
      args: { text: param.rest({ default: '' }) },
      async run({ args, message: { adapter, endpoint, channel, sender } }) {
        const origin = { adapter, endpoint, channel, user: sender.id }
        const { verdict, result } = await ctx.exec.run(args.text, { origin, limitMs: 20_000 })
        if (verdict === 'ask') await ctx.exec.request(args.text, { origin })
        return result?.output || verdict
      },
    }))
  },
})
`
