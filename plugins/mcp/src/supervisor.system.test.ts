import { expect } from 'chai'
import { eachTest, failure, lives, odd, until } from './test/support.js'

describe('Supervisor', function () {
  this.timeout(20_000)
  const rigs = eachTest()

  it('fails a call at once when the server dies, and reconnects for the next', async () => {
    const rig = await rigs.start({ odd: odd() })
    await rig.connected('odd')
    const error = await failure(rig.servers.call('odd', 'die', {}))
    expect(error.message).to.include('ended by SIGKILL')
    expect(await rig.text('odd', 'echo', { a: 1 })).to.equal('{"a":1}')
    expect(rig.log.filter(({ message }) => message.includes('is unavailable'))).to.have.length(1)
  })

  it('retries with growing delays, with the last output as the reason', async () => {
    const rig = await rigs.start({ odd: odd({ dies: 'No token in \u001b[31mthe environment' }) })
    const waits: number[] = []
    for (let attempt = 0; attempt < 10; attempt++) {
      await until(() => rig.server('odd').nextTryAt !== undefined)
      const { lastError, nextTryAt = 0, connected } = rig.server('odd')
      expect(connected).to.equal(false)
      expect(lastError).to.equal('the process ended with code 3: No token in [31mthe environment')
      waits.push(nextTryAt - rig.clock.now())
      await rig.clock.advance(nextTryAt - rig.clock.now())
    }
    for (const [index, wait] of waits.entries())
      expect(wait, `attempt ${index}`).to.be.within(
        Math.min(300_000, 1_000 * 2 ** index) / 2,
        Math.min(300_000, 1_000 * 2 ** index),
      )
    expect(
      rig.log.filter(({ message, level }) => level === 'warn' && message.includes('is unavailable')),
    ).to.have.length(1)
  })

  it('resets the delay after a stable connection', async () => {
    const rig = await rigs.start({ odd: odd() })
    await rig.connected('odd')
    const dies = async (): Promise<number> => {
      await failure(rig.servers.call('odd', 'die', {}))
      await until(() => rig.server('odd').nextTryAt !== undefined)
      return (rig.server('odd').nextTryAt as number) - rig.clock.now()
    }
    expect(await dies()).to.be.within(500, 1_000)
    expect(await dies()).to.be.within(1_000, 2_000)
    expect(await dies()).to.be.within(2_000, 4_000)
    expect(await rig.text('odd', 'echo')).to.equal('{}')
    expect(await dies()).to.be.within(500, 1_000)
  })

  it('does not reconnect for each call after a failure', async () => {
    const rig = await rigs.start({ odd: odd({ dies: 'No' }) })
    await until(() => rig.server('odd').lastError !== undefined)
    const before = rig.server('odd').nextTryAt
    expect((await failure(rig.servers.call('odd', 'echo', {}))).message).to.equal(
      'odd is not connected: the process ended with code 3: No',
    )
    expect(rig.server('odd').nextTryAt).to.equal(before)
  })

  it('ends a silent server at the deadline of the handshake', async () => {
    const rig = await rigs.start({ odd: odd({ silent: true }) })
    await until(() => rig.clock.pending > 0)
    await rig.clock.advance(60_000)
    await until(() => rig.server('odd').lastError !== undefined)
    expect(rig.server('odd').lastError).to.equal('The server did not finish the first exchange within 60 s')
  })

  it('gives each further start more time, since a server may download much before its first one', async () => {
    const rig = await rigs.start({ odd: odd({ silent: true }) })
    for (const seconds of [60, 120, 240, 480, 480]) {
      await until(() => rig.clock.pending > 0 && rig.server('odd').nextTryAt === undefined)
      await rig.clock.advance(15_000)
      expect(rig.log.at(-1)?.message).to.equal(`MCP server odd is still starting, for up to ${seconds} s`)
      await rig.clock.advance((seconds - 15) * 1_000)
      await until(() => rig.server('odd').nextTryAt !== undefined)
      expect(rig.server('odd').lastError).to.equal(`The server did not finish the first exchange within ${seconds} s`)
      await rig.clock.advance((rig.server('odd').nextTryAt ?? 0) - rig.clock.now())
    }
  })

  it('gives a start the time of its option', async () => {
    const rig = await rigs.start({ odd: odd({ silent: true }, { startTimeout: 600_000 }) })
    await until(() => rig.clock.pending > 0)
    await rig.clock.advance(599_999)
    expect(rig.server('odd').lastError).to.equal(undefined)
    await rig.clock.advance(1)
    await until(() => rig.server('odd').lastError !== undefined)
    expect(rig.server('odd').lastError).to.equal('The server did not finish the first exchange within 600 s')
  })

  it('ends a hanging call at the deadline, and pings the server', async () => {
    const rig = await rigs.start({ odd: odd({}, { timeout: 2_000 }) })
    await rig.connected('odd')
    const hanging = failure(rig.servers.call('odd', 'hang', {}))
    await rig.clock.advance(2_000)
    expect((await hanging).message).to.equal('odd: odd did not answer within 2 s')
    // It answers that it knows no ping: it lives.
    expect(await rig.text('odd', 'lists')).to.equal('1')
    expect(rig.server('odd').connected).to.equal(true)
  })

  it('keeps the connection when the caller aborts', async () => {
    const rig = await rigs.start({ odd: odd() })
    await rig.connected('odd')
    const abort = new AbortController()
    const hanging = failure(rig.run('odd__hang', {}, abort.signal))
    abort.abort(new Error('enough'))
    expect((await hanging).message).to.equal('enough')
    expect(rig.server('odd').connected).to.equal(true)
  })

  it('reports only the end of a long standard error', async () => {
    const rig = await rigs.start({ odd: odd({ floods: 30 }) })
    await rig.connected('odd')
    await failure(rig.servers.call('odd', 'die', {}))
    await until(() => rig.server('odd').lastError !== undefined || rig.server('odd').connected)
    expect(rig.server('odd').lastError?.length ?? 0).to.be.below(1_100)
  })

  it('masks secrets that the server repeats, also partly', async () => {
    const secret = 'a-token-of-tests-only'
    for (const from of [985, 992]) {
      const dies = `${'y'.repeat(1_100)}${secret}${'x'.repeat(from)}`
      const rig = await rigs.start({
        odd: odd({ dies }, { env: { TOKEN: secret } }),
        again: odd({ dies: `${'x'.repeat(from - 30)}${secret}` }, { env: { TOKEN: secret } }),
      })
      for (const name of ['odd', 'again']) {
        await until(() => rig.server(name).lastError !== undefined)
        expect(rig.server(name).lastError, `${name} ${from}`)
          .to.include('code 3')
          .and.not.match(/a-token|tests-only/)
      }
      expect((await failure(rig.servers.call('odd', 'echo', {}))).message).not.to.match(/a-token|tests-only/)
      expect(JSON.stringify(rig.log)).not.to.match(/a-token|tests-only/)
    }
  })

  it('reads messages between other output', async () => {
    const rig = await rigs.start({ odd: odd({ chatty: true }) })
    await rig.connected('odd')
    expect(rig.tools).to.include('odd__echo')
  })

  it('leaves out only the tool with a huge schema', async () => {
    const rig = await rigs.start({ odd: odd({ schema: 200_000 }) })
    await rig.connected('odd')
    expect(rig.tools).to.include('odd__echo').and.not.include('odd__vast')
    expect(rig.server('odd').lastError).to.match(
      /^vast has a schema that cannot be used: it is 200\d\d\d characters long; at most 131072 are taken$/,
    )
  })

  it('disconnects a server that sends 10 MB in one message', async () => {
    for (const manner of [{ schema: 10 * 1024 * 1024 }, { endless: 10 * 1024 * 1024 }]) {
      const rig = await rigs.start({ odd: odd(manner) })
      await until(() => rig.server('odd').lastError !== undefined)
      expect(rig.server('odd').lastError).to.include('it sent a message of more than 8 MB')
      expect(rig.tools).to.deep.equal([])
    }
  })

  it('limits an endless list', async () => {
    const rig = await rigs.start({
      odd: odd({
        pages: 1,
        tools: Array.from({ length: 600 }, (_, index) => ({ name: `tool${index}-`, description: 'One of many' })),
      }),
    })
    await rig.connected('odd')
    expect(rig.server('odd').toolCount).to.equal(512)
    expect(rig.server('odd').lastError).to.include('is left out: at most 512')
  })

  it('leaves out millions of invalid tools', async () => {
    const rig = await rigs.start({ odd: odd({ rubbish: 3_000_000 }) })
    await rig.connected('odd')
    expect(rig.tools).to.include('odd__echo')
    expect(rig.server('odd').lastError).to.include('a tool has no name')
  })

  it('lists once a second when tools change constantly, and holds the changes', async () => {
    const rig = await rigs.start({ odd: odd({ restless: 5 }) })
    await rig.connected('odd')
    await until(async () => Number(await rig.text('odd', 'lists')) >= 1 && rig.clock.pending > 0)
    for (let second = 0; second < 3; second++) {
      const before = rig.events.length
      await until(() => rig.clock.pending > 0)
      await rig.clock.advance(1_000)
      await until(() => rig.events.length > before)
    }
    expect(Number(await rig.text('odd', 'lists'))).to.be.within(3, 5)
    expect(rig.server('odd').tools.find(({ name }) => name === 'mood')).to.include({ held: true })
    expect(rig.tools).to.not.include('odd__mood')
  })

  it('leaves no process behind, not even children of a stubborn one', async () => {
    const rig = await rigs.start({ odd: odd({ child: true, stubborn: true }) })
    await rig.connected('odd')
    const pid = Number(rig.tool('odd__pid').description)
    expect(lives(pid)).to.equal(true)
    await rig.configure({})
    await until(() => !lives(pid))
    expect(rig.tools).to.deep.equal([])
    expect(rig.servers.list()).to.deep.equal([])
  })

  it('returns a result for malformed answers', async () => {
    const rig = await rigs.start({ odd: odd() })
    await rig.connected('odd')
    for (const input of [
      {},
      { content: 'text' },
      { content: [null, 3, { type: 'hologram' }] },
      { content: [{ type: 'image', data: 'not base64!', mimeType: 'image/png' }] },
      { structuredContent: { a: [1] } },
    ]) {
      expect((await rig.run('odd__odd', input)).isError, JSON.stringify(input)).to.equal(false)
    }
    expect((await rig.run('odd__fail', {})).isError).to.equal(true)
    expect((await failure(rig.run('odd__scold', {}))).message).to.include('Bad arguments')
    const large = (await rig.run('odd__large', { size: 3_000_000 })).content[0] as { text: string }
    // The agent shortens it, as results of any tool.
    expect(large.text).to.have.length.within(3_000_000, 3_000_100)
  })

  it('reports why a server cannot start', async () => {
    const rig = await rigs.start({
      none: { command: 'no-such-program-7f' },
      nowhere: odd({}, { cwd: 'no/such/folder' }),
      refused: { command: '/etc/passwd' },
    })
    await until(() => rig.servers.list().every(({ lastError }) => lastError !== undefined))
    expect(rig.server('none').lastError).to.equal('the command "no-such-program-7f" was not found')
    expect(rig.server('nowhere').lastError).to.equal('its working folder does not exist')
    expect(rig.server('refused').lastError).to.equal('the command "/etc/passwd" is not executable')
  })

  it('does not pass on the environment of the host', async () => {
    process.env['MYNAH_TEST_SECRET'] = 'of the host'
    try {
      const rig = await rigs.start({ odd: odd({}, { env: { OWN: 'mine' } }) })
      await rig.connected('odd')
      const env = JSON.parse(await rig.text('odd', 'env')) as Record<string, string>
      expect(
        Object.keys(env).filter(
          (name) => !['PATH', 'HOME', 'LANG', 'OWN', 'CWD', '__CF_USER_TEXT_ENCODING'].includes(name),
        ),
      ).to.deep.equal([])
      expect(env['OWN']).to.equal('mine')
      expect(env['CWD']).to.equal(rig.data)
    } finally {
      delete process.env['MYNAH_TEST_SECRET']
    }
  })
})
