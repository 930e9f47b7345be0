import { expect } from 'chai'
import { stat, writeFile } from 'node:fs/promises'
import { Bench, freePort, HEAD, removeAll, TOKEN, until } from '../test/support.js'

const WANTS = `
# Before the section.
wants:          # next to its key
  greeting: "hello"   # what is said first

  # How often.
  count: 3
  list: [a, b]

# The end, which is not read.
`
const START = `${HEAD}  - ./wants.mjs
  - ./fragile.mjs
`
const start = (text = WANTS, more: Parameters<typeof Bench.start>[1] = {}) =>
  Bench.start(text, { head: START, ...more })

describe('ConfigService', () => {
  afterEach(removeAll)

  it('changes only the section, keeps comments, order and the previous file, and applies the change', async () => {
    const bench = await start()
    const before = await bench.read()
    const answer = await bench.rpc('config:set', {
      pluginName: 'wants',
      data: { greeting: 'good day', count: 4, list: ['a', 'b'] },
    })
    expect(answer).to.deep.include({ status: 200, success: true })
    expect(answer.data).to.include({ success: true, reloaded: true })
    expect(await bench.read()).to.equal(before.replace('"hello"', '"good day"').replace('count: 3', 'count: 4'))
    expect(await bench.read('mynah.config.yml.bak')).to.equal(before)
    expect((await stat(`${bench.file}.bak`)).mode & 0o077).to.equal(0)
    expect(bench.wanted).to.include({ greeting: 'good day', count: 4 })
    expect((await bench.rpc('config:get', { pluginName: 'wants' })).data).to.deep.equal({
      greeting: 'good day',
      count: 4,
      list: ['a', 'b'],
    })
  })

  it('adds, removes and reorders items of a section', async () => {
    const bench = await start()
    const [above, below] = (await bench.read()).split(/wants: [^]*list: \[a, b\]\n/) as [string, string]
    await bench.rest('/config/wants', { greeting: 'hello', list: ['b', 'c', 'a'], any: { deep: ['x'] } })
    const text = await bench.read()
    expect(text.startsWith(above)).to.equal(true)
    expect(text.endsWith(below)).to.equal(true)
    expect(text).to.contain('# next to its key').and.to.contain('# what is said first').and.not.to.contain('count: 3')
    expect((await bench.rest('/config/wants')).data).to.deep.equal({
      name: 'wants',
      filePath: 'mynah.config.yml',
      config: { greeting: 'hello', list: ['b', 'c', 'a'], any: { deep: ['x'] } },
    })
  })

  it('adds a missing section', async () => {
    const bench = await start('')
    const before = await bench.read()
    expect((await bench.rpc('config:set', { pluginName: 'wants', data: { greeting: 'first' } })).success).to.equal(true)
    expect(await bench.read()).to.equal(`${before}wants:\n  greeting: first\n`)
    expect(bench.wanted).to.include({ greeting: 'first' })
  })

  it('keeps variables as they are written, and shows them so', async () => {
    const bench = await start('wants: { greeting: "${GREETING}", token: "${SECRET}", count: 1 }\n', {
      env: { GREETING: 'from outside', SECRET: 'sesame-open-wide' },
    })
    expect(bench.wanted).to.include({ greeting: 'from outside', token: 'sesame-open-wide' })
    const { data } = await bench.rpc('config:get', { pluginName: 'wants' })
    expect(data).to.deep.equal({ greeting: '${GREETING}', token: '${SECRET}', count: 1 })
    await bench.rpc('config:set', { pluginName: 'wants', data: { ...(data as object), count: 2 } })
    expect(await bench.read()).to.contain('wants: { greeting: "${GREETING}", token: "${SECRET}", count: 2 }\n')
    expect(bench.wanted).to.include({ greeting: 'from outside', count: 2 })
  })

  it('rejects an invalid section with line and path and writes nothing', async () => {
    const bench = await start()
    const before = await bench.read()
    for (const [data, path, message] of [
      [{ count: -1 }, 'wants.count', /must be >= 0/],
      [{ greetin: 'x' }, 'wants.greetin', /did you mean "greeting"/],
      ['text', 'wants', /must be object/],
      [{ greeting: '${NOT_SET_ANYWHERE}' }, 'wants.greeting', /NOT_SET_ANYWHERE/],
      [{ greeting: '${broken' }, 'wants.greeting', /neither/],
    ] as const) {
      const answer = await bench.rpc('config:set', { pluginName: 'wants', data })
      expect(answer, JSON.stringify(data)).to.include({ status: 400, success: false, code: 'invalid_request:config' })
      expect(answer.error)
        .to.match(message)
        .and.to.match(/^line \d+: /)
      expect(
        answer.details?.map((detail) => detail.path),
        JSON.stringify(data),
      ).to.include(path)
    }
    expect(await bench.read()).to.equal(before)
    expect(await stat(`${bench.file}.bak`).catch(({ code }) => code)).to.equal('ENOENT')
    expect(bench.wanted).to.include({ greeting: 'hello', count: 3 })
  })

  it('names unknown sections, and the sections of a plugin with several', async () => {
    const bench = await start('', { head: `${START}  - chat\n` })
    expect(await bench.rpc('config:get', { pluginName: 'want' })).to.include({
      status: 400,
      code: 'not_found',
      error: 'No plugin and no section is called "want"; did you mean "wants"?',
    })
    expect((await bench.rest('/config/events')).data).to.include({ name: 'events', config: null })
    expect((await bench.rest('/config/chat')).data).to.have.nested.property('config.endpoints')
    expect((await bench.rpc('config:get', { pluginName: 'chat' })).error).to.match(/several sections: .*endpoints/)
    expect((await bench.rpc('config:set', { pluginName: 'chat', data: {} })).details?.[0]?.message).to.match(
      /must be one of .*endpoints/,
    )
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(await bench.rest(`/config/${name}`), name).to.include({ status: 404, code: 'not_found' })
      expect(await bench.rest(`/schemas/${name}`), name).to.deep.include({ status: 200, data: null })
    }
    expect((await bench.rest('/schemas/wants')).data).to.have.nested.property('properties.greeting')
    expect(Object.keys((await bench.rpc('schema:get-all')).data))
      .to.include.members(['wants', 'http-core', 'chat'])
      .and.not.to.include('events')
    expect((await bench.rpc('config:get-all')).data).to.deep.include({
      aliases: { 'http-core': 'http', wants: 'wants', fragile: 'fragile', chat: 'endpoints' },
    })
  })

  it('restores a section, also in the file, if its plugin fails to start', async () => {
    const bench = await start('fragile: { note: first }\n')
    const before = await bench.read()
    const answer = await bench.rpc('config:set', { pluginName: 'fragile', data: { note: 'first', broken: true } })
    expect(answer).to.include({ success: false, code: 'invalid_request:config' })
    expect(answer.error).to.match(/cannot start like this/)
    expect(await bench.read()).to.equal(before)
    expect(bench.loaded.configuration.text()).to.equal(before)
    expect(bench.loaded.host.inspect().find(({ name }) => name === 'fragile')?.state).to.equal('active')
    expect((await bench.rpc('config:set', { pluginName: 'fragile', data: { note: 'second' } })).success).to.equal(true)
    expect(await bench.read()).to.contain('fragile: { note: second }')
  })

  it('answers a change of the server before the server restarts', async () => {
    const bench = await start('')
    const before = bench.origin
    const port = await freePort()
    const answer = await bench.rpc('config:set', { pluginName: 'http', data: { port, token: '••••' } })
    expect(answer.data).to.include({ success: true, reloaded: true })
    // Whatever comes next waits for the change, so the server is the new one by then.
    await until(() => bench.origin === `http://127.0.0.1:${port}`)
    expect((await bench.rpc('config:get', { pluginName: 'http' })).data).to.deep.equal({ port, token: '••••' })
    expect(
      await fetch(`${before}/pub/health`).then(
        ({ status }) => status,
        ({ cause }) => cause.code,
      ),
    ).to.equal('ECONNREFUSED')
    expect(await bench.read()).to.contain(`{ port: ${port}, token: ${TOKEN} }`)
  }).timeout(20_000)

  it('makes concurrent changes one after another', async () => {
    const bench = await start('')
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, count) =>
        bench.rpc(
          'config:set',
          count % 2 ? { pluginName: 'wants', data: { count } } : { pluginName: 'fragile', data: { note: `n${count}` } },
        ),
      ),
    )
    expect(answers.every(({ success }) => success)).to.equal(true)
    expect((await bench.rpc('config:get')).data).to.deep.include({ wants: { count: 23 }, fragile: { note: 'n24' } })
    expect(bench.wanted).to.include({ count: 23 })
  })

  it('rejects changes of a broken file and shows the running configuration', async () => {
    const bench = await start()
    await writeFile(bench.file, 'wants: [')
    expect(await bench.rpc('config:set', { pluginName: 'wants', data: {} })).to.include({
      success: false,
      code: 'conflict',
    })
    expect(await bench.read()).to.equal('wants: [')
    expect((await bench.rpc('config:get', { pluginName: 'wants' })).data).to.include({ count: 3 })
    await writeFile(
      bench.file,
      'a: &a [1]\nb: &b [*a, *a]\n'.concat(
        ...Array.from(
          { length: 20 },
          (_, i) => `c${i}: &c${i} [*${i ? `c${i - 1}` : 'b'}, *${i ? `c${i - 1}` : 'b'}, *${i ? `c${i - 1}` : 'b'}]\n`,
        ),
      ),
    )
    expect((await bench.rpc('config:get', { pluginName: 'wants' })).data).to.include({ count: 3 })
  })

  it('publishes a change with masked secrets', async () => {
    const bench = await start('wants: { token: sesame-open-wide, count: 1 }\n')
    const stream = await fetch(`${bench.origin}/api/events`, { headers: { authorization: `Bearer ${TOKEN}` } })
    const reader = (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
    await bench.rpc('config:set', { pluginName: 'wants', data: { token: '••••', count: 7 } })
    let text = ''
    while (!text.includes('config:updated') || !text.slice(text.indexOf('config:updated')).includes('\n\n'))
      text += (await reader.read()).value ?? ''
    await reader.cancel()
    const line = text.split('\n').find((part) => part.includes('config:updated')) as string
    expect(JSON.parse(line.slice('data: '.length))).to.deep.include({
      type: 'config:updated',
      data: { pluginName: 'wants', config: { token: '••••', count: 7 } },
    })
    expect(text).not.to.contain('sesame')
    expect(await bench.read()).to.contain('token: sesame-open-wide')
  })
})
