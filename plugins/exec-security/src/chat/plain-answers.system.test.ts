// Tests that a word or a button answers exactly one request, and only for the owner.
import { expect } from 'chai'
import { ORIGIN, OWNER, start, stopAll, until, type Running } from '../test/host.js'

describe('plainAnswers', () => {
  let running: Running
  afterEach(stopAll)
  const ask = async (command = 'touch made', more: object = {}): Promise<string> =>
    (await running.exec.request(command, { origin: { ...ORIGIN, ...more }, cwd: running.work })).approvalId ?? ''
  /** Waits until the owner has so many requests before him. */
  const asked = (count: number, channel?: { type: 'private'; id: string }, endpoint?: string): Promise<void> =>
    until(
      async () =>
        (await running.heard(channel, endpoint)).filter((text) => text.includes('waits for your confirmation'))
          .length === count,
      'the owner is asked',
    )
  const pending = async (): Promise<string[]> => (await running.approvals.pending()).map(({ id }) => id)

  for (const [word, end] of [
    ['yes', 'approved'],
    ['Yes.', 'approved'],
    ['是', 'approved'],
    ['no', 'denied'],
    ['拒绝', 'denied'],
  ] as const) {
    it(`takes "${word}" for an answer where one request waits`, async () => {
      running = await start()
      const id = await ask()
      await asked(1)
      const waiting = running.approvals.wait(id)
      expect(await running.tell(word)).to.match(end === 'approved' ? /^Approved/ : /^Denied/)
      expect(await waiting).to.equal(end)
      expect(await pending()).to.deep.equal([])
    })
  }

  it('lists several waiting requests, and takes an answer by number', async () => {
    running = await start()
    const [first, second] = [await ask('touch one'), await ask('touch two')]
    await asked(2)
    expect(await running.tell('yes')).to.equal(
      '2 requests wait for your answer:\n1. touch one (for bob)\n2. touch two (for bob)\nAnswer by number, such as "1 yes" or "2 no".',
    )
    expect(await pending()).to.have.members([first, second])
    expect(await running.tell('no 2')).to.equal(
      `Denied: ${second}.\n\nOne request waits for your answer:\n1. touch one (for bob)\n` +
        'Answer by number, such as "1 yes" or "1 no".',
    )
    expect(await pending()).to.deep.equal([first])
    // The last message names one request alone.
    expect(await running.tell('Yes!')).to.match(new RegExp(`^Approved: ${first}`))
    expect(await pending()).to.deep.equal([])
    expect(await running.tell('1 yes')).to.equal('')
  })

  it('takes an answer with full-width digits and invisible characters, and none that is read as another one', async () => {
    running = await start()
    const [first, second] = [await ask('touch one'), await ask('touch two')]
    await asked(2)
    await running.tell('yes')
    for (const words of ['\u202e1 yes', '1 \u202esey', '1 уes']) {
      await running.tell(words)
      expect(await pending(), words).to.have.members([first, second])
    }
    await running.tell('yes')
    expect(await running.tell('\u2060２ 是\u200b')).to.match(new RegExp(`^Approved: ${second}`))
    expect(await running.tell('no１')).to.match(new RegExp(`^Denied: ${first}`))
  })

  it('keeps the numbers that the owner saw when requests come and go', async () => {
    running = await start()
    const [first, second] = [await ask('touch one'), await ask('touch two')]
    await asked(2)
    await running.tell('是')
    const third = await ask('touch three')
    await asked(3)
    await running.approvals.decide(first, true, 'console')
    expect(await running.tell('1 yes'))
      .to.include('\n2. touch two')
      .and.include('\n3. touch three')
    expect(await pending()).to.deep.equal([second, third])
    expect(await running.tell('2. 拒绝')).to.match(new RegExp(`^Denied: ${second}`))
    expect(await pending()).to.deep.equal([third])
  })

  it('ignores a number that was never shown, and takes no number for two requests', async () => {
    running = await start()
    const both = [await ask('touch one\n2. touch nothing'), await ask(`touch ${'x'.repeat(500)}`)]
    await asked(2)
    const told = await running.tell('1 yes')
    expect(told.split('\n')).to.have.length(4)
    expect(told.split('\n')[1]).to.equal('1. touch one ⏎ 2. touch nothing (for bob)')
    for (const text of [
      '3 yes',
      'yes 1 2',
      '12yes',
      '1',
      '1 maybe',
      'yes yes 1',
      '1 yes 2',
      `1 ${'y'.repeat(100_000)}`,
    ]) {
      await running.tell(text)
      expect(await pending(), text.slice(0, 20)).to.have.members(both)
    }
  })

  it('shows waiting requests to the owner alone', async () => {
    running = await start()
    await ask('touch one')
    await ask('touch two')
    await asked(2)
    for (const as of [
      { user: 'mallory' },
      { channel: { type: 'group', id: 'g1' } as const },
      { channel: { type: 'private', id: 'mallory' } as const },
      { endpoint: 'second' },
      { user: 'eve', endpoint: 'second' },
    ]) {
      expect(await running.tell('yes', as)).to.equal('')
      expect(await running.tell('1 yes', as)).to.equal('')
    }
    expect(await pending()).to.have.length(2)
  })

  it('takes no answer after another message', async () => {
    running = await start()
    const id = await ask()
    await asked(1)
    await running.tell('/help')
    expect(await running.tell('yes')).to.equal('')
    expect(await pending()).to.deep.equal([id])
  })

  it('takes answers only from the owner in private', async () => {
    running = await start()
    const id = await ask()
    await asked(1)
    for (const as of [
      { user: 'mallory' },
      { channel: { type: 'group', id: 'g1' } as const },
      { channel: { type: 'private', id: 'mallory' } as const },
      { endpoint: 'second' },
    ])
      expect(await running.tell('yes', as)).to.equal('')
    expect(await pending()).to.deep.equal([id])
  })

  it('passes words on where no request waits, and longer messages always', async () => {
    running = await start()
    expect(await running.tell('yes')).to.equal('')
    const id = await ask()
    await asked(1)
    for (const text of ['yes, but tell me first', 'yesterday', `yes${' '.repeat(50_000)}x`, 'y'.repeat(100_000)])
      expect(await running.tell(text)).to.equal('')
    expect(await pending()).to.deep.equal([id])
  })

  it('takes one answer, and reports to the second owner that the request is over', async () => {
    running = await start()
    const id = await ask()
    await asked(1)
    await running.tell('yes')
    expect(await running.tell(`/approve deny ${id}`)).to.include('approved already')
    expect(await running.tell('no')).to.equal('')
  })

  it('takes answers after a restart without asking again', async () => {
    running = await start({ database: true, keepsMessages: true })
    const id = await ask()
    await asked(1)
    const { home } = running
    await running.halt()
    running = await start({ database: true, keepsMessages: true, home })
    await until(async () => (await pending()).length === 1, 'the request is there again')
    await until(async () => (await running.tell('yes')).startsWith('Approved'), 'it is known again by its message')
    expect(await running.approvals.wait(id)).to.equal('approved')
  })
})

describe('request buttons', () => {
  afterEach(stopAll)

  it('approve or refuse below the request, for the owner alone', async () => {
    const running = await start()
    const { approvalId: id = '' } = await running.exec.request('touch made', { origin: ORIGIN, cwd: running.work })
    const scene = { type: 'private', id: OWNER }
    type Card = {
      readonly type: string
      readonly data: { readonly buttons?: readonly { readonly text: string; readonly command: string }[] }
    }
    const cards = async (): Promise<readonly Card[]> =>
      (
        (await running.rpc('sandbox:history', { data: { endpointId: 'bot', channel: scene } })).data as unknown as {
          messages: { content: Card[] }[]
        }
      ).messages
        .flatMap(({ content }) => content)
        .filter(({ type }) => type === 'card')
    await until(async () => (await cards()).length === 1, 'the card')
    const buttons = (await cards())[0]?.data.buttons ?? []
    expect(buttons.map(({ text }) => text)).to.deep.equal(['Run it once', 'Refuse'])
    for (const { command } of buttons) expect(Buffer.byteLength(command)).to.be.at.most(64)
    const [once] = buttons
    expect(await running.tell(once?.command ?? '', { user: 'mallory' })).to.match(/is for my owner only/)
    const waiting = running.approvals.wait(id)
    expect(await running.tell(once?.command ?? '')).to.match(/^Approved/)
    expect(await waiting).to.equal('approved')
    expect(await running.tell(once?.command ?? '')).to.include('approved already')
  })
})
