import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { useBench } from '../../console/test/dist/test/bench.js'
import { eventually } from '../../console/test/dist/test/eventually.js'
import type { TestPage } from '../../console/test/dist/test/browser.js'
import { healthy } from '../../console/test/dist/test/stand-in.js'
import { findings } from './axe.js'

const built = fileURLToPath(new URL('../../plugins/adapter-sandbox/client/dist', import.meta.url))
const endpoint = {
  name: 'sandbox',
  adapter: 'sandbox',
  connected: true,
  status: 'online',
  capabilities: [],
  unread: { messages: 0, requests: 0, notices: 0 },
  since: 0,
}
const channel = { type: 'private', id: 'alice', name: 'Alice' }
const said = {
  endpoint_id: 'sandbox',
  channel,
  messageId: 'old',
  content: 'said before',
  text: 'said before',
  timestamp: 1,
  direction: 'in',
  sender: { id: 'alice', name: 'Alice' },
}
const reply = {
  endpoint_id: 'sandbox',
  channel,
  messageId: 'new',
  content: 'an answer',
  text: 'an answer',
  timestamp: 2,
  replyTo: 'old',
}
const refusal = { status: 500, error: 'The host failed; the cause is in its log' }

describe('sandbox page with a host', function () {
  this.timeout(240_000)
  let modules: string

  before(async () => {
    modules = await mkdtemp(join(tmpdir(), 'mynah-sandbox-page-'))
    await mkdir(join(modules, 'sandbox'))
    await symlink(built, join(modules, 'sandbox/client'))
  })
  const bench = useBench({ modules: () => modules })
  beforeEach(() => {
    const { host } = bench
    host.entries = [
      {
        id: 'sandbox',
        resolvedModule: '/@dev/sandbox/client/index.js?v=1',
        order: 10,
        enabled: true,
        meta: { name: 'Sandbox', version: '0.1.0' },
      },
    ]
    host.answers = {
      ...healthy(),
      'endpoint:list': { data: { endpoints: [endpoint] } },
      'sandbox:history': { data: { messages: [said] } },
      'sandbox:send': { data: { messageId: 'x' } },
    }
  })
  after(() => rm(modules, { recursive: true }))

  const visit = (): Promise<TestPage> => bench.signedIn('/sandbox')

  it('without sandbox endpoint explains how to add one', async () => {
    bench.host.answers['endpoint:list'] = { data: { endpoints: [{ ...endpoint, adapter: 'irc' }] } }
    const { page, context } = await visit()
    await page.getByText('No sandbox endpoint').waitFor()
    await page.getByText('adapter: sandbox').waitFor()
    expect(await findings(page)).to.deep.equal([])
    await context.close()
  })

  it('that cannot list its endpoints shows the error and tries again', async () => {
    bench.host.answers['endpoint:list'] = refusal
    const { page, context } = await visit()
    await page.getByText(refusal.error).waitFor()
    expect(await findings(page)).to.deep.equal([])
    bench.host.answers['endpoint:list'] = { data: { endpoints: [endpoint] } }
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('said before').waitFor()
    await context.close()
  })

  it('whose endpoint is offline shows the reason', async () => {
    bench.host.answers['endpoint:list'] = {
      data: { endpoints: [{ ...endpoint, connected: false, status: 'offline', error: 'switched off' }] },
    }
    const { page, context } = await visit()
    await page.getByText('This endpoint is not online: switched off').waitFor()
    await context.close()
  })

  it('that cannot load the history shows the error and tries again', async () => {
    bench.host.answers['sandbox:history'] = refusal
    const { page, context } = await visit()
    await page.getByText('The messages cannot be read').waitFor()
    await page.getByText(refusal.error).waitFor()
    expect(await findings(page)).to.deep.equal([])
    bench.host.answers['sandbox:history'] = { data: { messages: [said] } }
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('said before').waitFor()
    await page.getByText('The messages cannot be read').waitFor({ state: 'detached' })
    await context.close()
  })

  it('that rejects a message keeps it with the reason', async () => {
    bench.host.answers['sandbox:send'] = {
      status: 503,
      error: 'The message store is still starting',
      code: 'not_ready',
    }
    const { page, context } = await visit()
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('hello')
    await page.getByRole('textbox', { name: 'Message', exact: true }).press('Enter')
    await page.getByText('Not sent: The message store is still starting').waitFor()
    expect(await findings(page)).to.deep.equal([])
    await context.close()
  })

  it('that sends a message twice shows it once, and ignores other endpoints', async () => {
    const { page, context } = await visit()
    await page.locator('.state.ok').waitFor()
    await page.getByText('said before').waitFor()
    bench.host.push('sandbox:message', {
      ...reply,
      endpoint_id: 'other',
      messageId: 'elsewhere',
      content: 'not here',
      text: 'not here',
    })
    bench.host.push('sandbox:message', reply)
    bench.host.push('endpoint:message', {
      adapter: 'sandbox',
      endpoint_id: 'sandbox',
      id: '9',
      messageId: 'new',
      channel,
      sender: { id: 'sandbox', name: 'sandbox' },
      content: 'an answer',
      text: 'an answer',
      direction: 'out',
      read: true,
      timestamp: 2,
    })
    bench.host.push('sandbox:message', { ...reply, messageId: 'last', content: 'the end', text: 'the end' })
    await page.getByText('the end', { exact: true }).waitFor()
    expect(await page.locator('.sb-body').allTextContents()).to.deep.equal(['said before', 'an answer', 'the end'])
    await eventually(async () => expect(await page.getByText('In answer to Alice: said before').count()).to.equal(2))
    await context.close()
  })

  it('that reconnects shows missed messages', async () => {
    const { page, context } = await visit()
    await page.locator('.state.ok').waitFor()
    await page.getByText('said before').waitFor()
    bench.host.answers['sandbox:history'] = {
      data: { messages: [said, { ...reply, direction: 'out', sender: { id: 'sandbox', name: 'sandbox' } }] },
    }
    bench.host.dropStreams()
    await page.getByText('an answer', { exact: true }).waitFor()
    await context.close()
  })
})
