import { expect } from 'chai'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createClient, type Client } from '@mynah/sdk'
import { useBench } from '../../console/test/dist/test/bench.js'
import { eventually } from '../../console/test/dist/test/eventually.js'
import { open, type TestPage } from '../../console/test/dist/test/browser.js'
import { signedIn } from '../../console/test/dist/test/signed-in.js'
import { findings } from './axe.js'
import { startExample, type ExampleHost } from './example-host.js'

describe('sandbox page of the lean host', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'none' })
  let host: ExampleHost
  let client: Client

  before(async () => {
    host = await startExample('lean', bench.site.url)
    bench.atEnd(() => host.stop())
    client = createClient({ base: host.url, token: host.token })
    bench.atEnd(() => client.close())
  })

  const input = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
  const transcript = (page: Page) => page.locator('.sb-list')
  const answer = (page: Page, text: string | RegExp) => page.locator('.sb-message.out', { hasText: text }).last()
  const sandbox = async (options: BrowserContextOptions = {}): Promise<TestPage> => {
    const test = await signedIn(bench.browser, bench.site, host, '/sandbox', options)
    try {
      await test.page.locator('.sb-composer').waitFor()
      await test.page.locator('.state.ok').waitFor()
    } catch (error) {
      throw new Error(
        `${String(error)}\nThe page says: ${await test.page.locator('body').innerText()}\n${test.problems.join('\n')}`,
        { cause: error },
      )
    }
    return test
  }
  const say = async (page: Page, text: string): Promise<void> => {
    await input(page).fill(text)
    await input(page).press('Enter')
  }
  const fromBot = (content: unknown, id: string, type: 'private' | 'group'): Promise<unknown> =>
    client.rest('POST /message/send', {
      body: { context: 'sandbox', endpoint: 'sandbox', id, type, content: content as string },
    })

  it('answers /help after signing in with the token', async () => {
    const { page, context, problems } = await open(bench.browser)
    await page.goto(`${bench.site.url}/?apiBaseUrl=${encodeURIComponent(host.url)}`)
    await page.getByText('Reachable').waitFor()
    await page.getByLabel('Token', { exact: true }).fill(host.token)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.locator('.rail').getByRole('link', { name: 'Sandbox' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sandbox' }).waitFor()
    await page.getByText('Nothing said here yet').waitFor()
    await page.getByText('As Alice in Private with Alice').waitFor()
    await page.locator('.state.ok').waitFor()
    await say(page, '/help')
    await answer(page, '/note').waitFor()
    expect(await answer(page, '/note').textContent())
      .to.contain('help')
      .and.to.contain('In answer to Alice: /help')
    expect(await page.locator('.sb-message').count(), 'each message is shown once').to.equal(2)
    await eventually(async () => expect(await page.locator('.sb-chat [role=status]').textContent()).to.contain('/note'))
    await page.reload()
    await answer(page, '/note').waitFor()
    expect(await page.locator('.sb-message').count(), 'the history is that of the host').to.equal(2)
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('breaks lines, recalls, quotes and shows the wire format', async () => {
    const { page, context } = await sandbox()
    await page.getByRole('button', { name: /^Carol/ }).click()
    await input(page).fill('first')
    await input(page).press('Shift+Enter')
    await page.keyboard.type('second')
    await eventually(async () => expect(await input(page).inputValue()).to.equal('first\nsecond'))
    await input(page).press('Enter')
    await transcript(page).getByText('first\nsecond').waitFor()
    await say(page, 'third')
    await transcript(page).getByText('third').waitFor()
    await input(page).press('ArrowUp')
    await eventually(async () => expect(await input(page).inputValue()).to.equal('third'))
    await input(page).press('ArrowUp')
    await eventually(async () => expect(await input(page).inputValue()).to.equal('first\nsecond'))
    await input(page).press('ArrowDown')
    await input(page).press('ArrowDown')
    await eventually(async () => expect(await input(page).inputValue()).to.equal(''))
    await page.getByRole('button', { name: 'Quote "third"' }).click()
    await page.getByText('Quoting Carol: third').waitFor()
    await say(page, 'fourth')
    await transcript(page).getByText('In answer to Carol: third').waitFor()
    await page.getByRole('switch', { name: 'Raw JSON' }).click()
    const raw = await page.locator('.sb-raw').last().textContent()
    expect(JSON.parse(raw ?? '')).to.deep.include({ direction: 'in', sender: { id: 'carol', name: 'Carol' } })
    await context.close()
  })

  it('sends typed segments and shows their mistakes', async () => {
    const { page, context } = await sandbox()
    await page.getByRole('button', { name: /^Bob/ }).click()
    await page.getByRole('switch', { name: 'Segments as JSON' }).click()
    const area = page.getByRole('textbox', { name: 'Segments as JSON' })
    await area.fill('[{"type":"text"}]')
    await area.press('Control+Enter')
    await page.getByText('Segment 1 needs a type and a data object').waitFor()
    await area.fill('[{"type":"at","data":{"id":"carol","name":"Carol"}},{"type":"text","data":{"text":" look"}}]')
    await area.press('Control+Enter')
    await transcript(page).locator('.sb-at', { hasText: '@Carol' }).waitFor()
    await context.close()
  })

  it('counts messages of the bot in other chats and shows them there', async () => {
    const { page, context } = await sandbox()
    await page.getByRole('button', { name: 'Private with Alice' }).waitFor()
    await input(page).fill('not sent yet')
    await fromBot('unasked', 'lobby', 'group')
    const lobby = page.getByRole('button', { name: /^Lobby/ })
    await lobby.getByText('1 unread').waitFor()
    await lobby.click()
    await answer(page, 'unasked').waitFor()
    await lobby.getByText('unread').waitFor({ state: 'detached' })
    await eventually(async () => expect(await input(page).inputValue()).to.equal(''))
    await page.getByRole('button', { name: 'Private with Alice' }).click()
    await eventually(async () =>
      expect(await input(page).inputValue(), 'the draft of each scene').to.equal('not sent yet'),
    )
    await context.close()
  })

  it('keeps a rejected message with its reason and delivers it when it is sent again', async () => {
    const { page, context } = await sandbox()
    await page.getByRole('button', { name: /^Carol/ }).click()
    await page.getByRole('button', { name: /^Lobby/ }).click()
    const mute = (duration: number): Promise<unknown> =>
      client.rpc('endpoint:groupMute', {
        adapter: 'sandbox',
        endpointId: 'sandbox',
        groupId: 'lobby',
        userId: 'carol',
        duration,
      })
    await mute(600)
    await say(page, '/help')
    await page.getByText('Not sent: Carol is muted in this group').waitFor()
    await mute(0)
    await page.getByRole('button', { name: 'Resend "/help"' }).click()
    await answer(page, '/note').waitFor()
    await page.getByText('Not sent').waitFor({ state: 'detached' })
    await eventually(async () => expect(await page.locator('.sb-message.in', { hasText: '/help' }).count()).to.equal(1))
    await context.close()
  })

  it('shows cards and media without fetching or opening anything unasked', async () => {
    const { page, context } = await sandbox()
    const asked: string[] = []
    await page.route('https://pictures.example/**', (route) => {
      asked.push(route.request().url())
      return route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      })
    })
    await fromBot(
      [
        { type: 'image', data: { url: 'https://pictures.example/cat.svg', alt: 'a cat' } },
        { type: 'file', data: { url: 'javascript:alert(1)', name: 'trap' } },
        { type: 'file', data: { url: 'https://files.example/report.pdf', name: 'report' } },
        {
          type: 'card',
          data: {
            title: 'Weather',
            fields: [{ name: 'High', value: '24' }],
            buttons: [
              { text: 'Ask', command: '/help' },
              { text: 'Trap', url: 'javascript:alert(2)' },
            ],
          },
        },
      ],
      'alice',
      'private',
    )
    const message = answer(page, 'Weather')
    await message.waitFor()
    expect(await message.locator('dl').textContent()).to.equal('High24')
    expect(
      await message.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).to.deep.equal(['https://files.example/report.pdf'])
    expect(asked).to.deep.equal([])
    await message.getByRole('button', { name: 'Show image from pictures.example (a cat)' }).click()
    await message.getByRole('img', { name: 'a cat' }).waitFor()
    await eventually(async () => expect(asked).to.deep.equal(['https://pictures.example/cat.svg']))
    const before = await page.locator('.sb-message.out').count()
    await message.getByRole('button', { name: 'Ask' }).click()
    await page.locator('.sb-message.out').nth(before).waitFor()
    await context.close()
  })

  it('injects requests and notices, and plays added users', async () => {
    const { page, context } = await sandbox()
    await page.getByRole('button', { name: 'Add a user' }).click()
    await page.getByRole('dialog').getByLabel('Id').fill('dave')
    await page.getByRole('dialog').getByLabel('Name').fill('Dave')
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await page.getByText('As Dave in Private with Dave').waitFor()
    await page.getByRole('button', { name: 'A request…' }).click()
    await page.getByRole('dialog').getByLabel('Comment').fill('let me in')
    await page.getByRole('dialog').getByRole('button', { name: 'Let it happen' }).click()
    await page.locator('.toast', { hasText: 'It happened' }).waitFor()
    // A message of the console never lies over what is typed in.
    await page.waitForFunction(
      () =>
        (document.querySelector('.toasts')?.getBoundingClientRect().bottom ?? Infinity) <=
        (document.querySelector('.sb-composer')?.getBoundingClientRect().top ?? 0),
    )
    const { requests } = await client.rpc('endpoint:requests', { adapter: 'sandbox', endpointId: 'sandbox' })
    expect(requests[0]).to.deep.include({ kind: 'friend', comment: 'let me in', sender: { id: 'dave', name: 'Dave' } })
    await page.getByRole('button', { name: 'A notice…' }).click()
    await page.getByRole('dialog').getByText('More', { exact: true }).click()
    await page.getByRole('dialog').getByLabel('Further data').fill('{')
    await page.getByRole('dialog').getByRole('button', { name: 'Let it happen' }).click()
    await page.getByText('Not JSON').waitFor()
    await page.getByRole('dialog').getByLabel('Further data').fill('{"by":"hand"}')
    await page.getByRole('dialog').getByRole('button', { name: 'Let it happen' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { notices } = await client.rpc('endpoint:inboxNotices', { adapter: 'sandbox', endpointId: 'sandbox' })
    expect(notices[0]).to.deep.include({ kind: 'group-increase', payload: { by: 'hand' } })
    await page.reload()
    await page.getByText('As Dave in Private with Dave').waitFor()
    await context.close()
  })

  it('delivers the last message again with its id, and tells why it cannot', async () => {
    const { page, context } = await sandbox()
    const again = page.getByRole('button', { name: 'The last message again' })
    await page.getByRole('button', { name: 'Add a user' }).click()
    await page.getByRole('dialog').getByLabel('Id').fill('erin')
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await page.getByText('Nothing said here yet').waitFor()
    expect(await again.isDisabled(), 'there is none yet').to.equal(true)
    await say(page, '/help')
    await answer(page, '/note').waitFor()
    const sent: unknown[] = []
    page.on('request', (request) => {
      const body = request.postData() ?? ''
      if (body.includes('sandbox:send')) sent.push((JSON.parse(body) as { data: { messageId: string } }).data.messageId)
    })
    await again.click()
    await page.locator('.toast', { hasText: 'The last message was delivered again' }).waitFor()
    const messages = page.locator('.sb-message.in')
    expect(sent).to.deep.equal([await messages.first().getAttribute('data-key')])
    expect(await messages.count(), 'it is one message').to.equal(1)
    await page.route('**/console/request', (route) =>
      route.request().postData()?.includes('sandbox:send')
        ? route.fulfill({
            status: 503,
            contentType: 'application/json',
            headers: { 'access-control-allow-origin': '*' },
            body: JSON.stringify({ error: 'The message store is still starting' }),
          })
        : route.continue(),
    )
    await again.click()
    await page.locator('.toast.err', { hasText: 'The message store is still starting' }).waitFor()
    await context.close()
  })

  it('sends pasted and chosen pictures, and keeps typed text over a reload', async () => {
    const { page, context } = await sandbox()
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array([137, 80, 78, 71])], 'pasted.png', { type: 'image/png' }))
      document
        .querySelector('.sb-composer textarea')
        ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })
    await page.getByRole('button', { name: 'Remove pasted.png' }).waitFor()
    await page
      .locator('.sb-composer input[type=file]')
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await page.getByText('notes.txt is no picture that can be sent').waitFor()
    await say(page, 'look')
    await page.locator('.sb-message.in', { hasText: 'look' }).locator('.sb-image, .sb-attachment').waitFor()
    await input(page).fill('half a thought')
    await page.waitForFunction(() =>
      Object.values({ ...localStorage }).some((value) => value.includes('half a thought')),
    )
    await page.reload()
    await page.locator('.sb-composer').waitFor()
    await eventually(async () => expect(await input(page).inputValue()).to.equal('half a thought'))
    await input(page).fill('')
    await context.close()
  })

  it('stays fast with five hundred messages and counts new ones while scrolled up', async () => {
    const channel = { type: 'group', id: 'crowd' } as const
    for (let index = 0; index < 500; index += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, step) =>
          client.rpc('sandbox:send', {
            endpointId: 'sandbox',
            channel,
            sender: { id: 'dan', name: 'Dan' },
            content: `line ${index + step}`,
          }),
        ),
      )
    }
    const { page, context } = await sandbox()
    await page.getByRole('button', { name: 'Add a scene' }).click()
    await page.getByRole('dialog').getByLabel('Id', { exact: true }).fill('crowd')
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await page.locator('.sb-message[aria-posinset="500"]').waitFor()
    expect(await page.locator('*').count()).to.be.at.most(1500)
    await transcript(page).evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2
    })
    await page.locator('.sb-message[aria-posinset="250"]').waitFor()
    expect(await page.locator('*').count()).to.be.at.most(1500)
    await fromBot('something new', 'crowd', 'group')
    await page.getByRole('button', { name: '1 new' }).click()
    await answer(page, 'something new').waitFor()
    await context.close()
  })

  it('is shown in Chinese to Chinese browsers', async () => {
    const { page, context } = await sandbox({ locale: 'zh-CN' })
    await page.getByRole('heading', { level: 1, name: '沙盒' }).waitFor()
    await page.getByText('以 Alice 的身份在“与 Alice 私聊”发言').waitFor()
    await context.close()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      it(`is accessible: ${colorScheme}, ${width} px`, async () => {
        const { page, context } = await sandbox({
          colorScheme,
          viewport: { width, height: 844 },
          reducedMotion: 'reduce',
        })
        await fromBot(
          [
            {
              type: 'card',
              data: {
                title: `For ${colorScheme} ${width}`,
                fields: [{ name: 'A', value: '1' }],
                buttons: [{ text: 'Ask', command: '/help' }],
              },
            },
            { type: 'at', data: { id: 'alice' } },
            { type: 'image', data: { alt: 'nothing there' } },
          ],
          'alice',
          'private',
        )
        await answer(page, `For ${colorScheme} ${width}`).waitFor()
        expect(await findings(page)).to.deep.equal([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(width)
        for (const name of ['A request…', 'A notice…', 'Add a scene']) {
          await page.getByRole('button', { name, exact: true }).click()
          await page.getByRole('dialog').waitFor()
          expect(await findings(page), name).to.deep.equal([])
          await page.keyboard.press('Escape')
          await page.getByRole('dialog').waitFor({ state: 'detached' })
        }
        await page.getByRole('switch', { name: 'Raw JSON' }).click()
        expect(await findings(page), 'raw').to.deep.equal([])
        await context.close()
      })
    }
  }
})
