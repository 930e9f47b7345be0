// Follows the guides with a real host and a model from a script, and says in the sandbox what they say.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { parse } from 'yaml'
import { ModelServer } from '../test/dist/model-server.js'
import { blocksOf, followGuide, guides, guideText, merged, quickestWay } from './guide-steps.mjs'
import { root } from './lib.mjs'
import { freePort, TrialHost, until } from './trial.mjs'

const TOKEN = 'a-token-for-the-guides'
const EVENTS_TOKEN = 'a-token-for-events'
/** Returns the first whole configuration of a guide. */
const wholeOf = (name) =>
  parse(blocksOf(guideText(name)).find(({ language, code }) => language === 'yaml' && /^plugins:/m.test(code)).code)
const headingsOf = (text) =>
  Array.from(text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/^(#+) /gm), ([, signs]) => signs.length)
const answersOf = (asked) => asked.messages.at(-1)
const wordsOf = (asked) => JSON.stringify(asked.messages.findLast(({ role }) => role === 'user')?.content ?? '')

/** A model that calls a tool where the words of the user match, and repeats the results of tools. */
const script = (rules) => (asked) => {
  const last = answersOf(asked)
  if (last.role === 'tool') return `Result: ${JSON.stringify(last.content)}`
  const words = wordsOf(asked)
  const [, call] = rules.find(([pattern]) => pattern.test(words)) ?? []
  if (typeof call === 'string') return call
  return call ? { text: '', calls: [call] } : 'I have no idea.'
}

describe('the guides', function () {
  this.timeout(240_000)
  let folder
  let host
  let model
  let voice
  afterEach(async () => {
    await host?.stop('SIGTERM')
    await model?.stop()
    voice?.close()
    voice?.closeAllConnections()
    if (folder) rmSync(folder, { recursive: true, force: true })
    folder = host = model = voice = undefined
  })

  /** Follows a guide, from a bot that answers in the sandbox. */
  async function follow(name, bot, env = {}) {
    folder = mkdtempSync(join(tmpdir(), 'mynah-guide-'))
    const port = await freePort()
    followGuide(name, folder, merged(bot, { http: { port } }))
    host = new TrialHost(process.execPath, [join(root, 'plugins/mynah/dist/cli/main.js'), 'start'], {
      cwd: folder,
      env: { ...process.env, HTTP_TOKEN: TOKEN, ...env },
      origin: `http://127.0.0.1:${port}`,
      token: TOKEN,
    })
    await host.healthy()
    await until('all plugins', async () => /(\d+) of \1 plugins are up/.test(host.said)).catch((error) => {
      throw new Error(`${error.message}\n${host.said}`, { cause: error })
    })
  }

  /** Returns the bot of the guide of models, with a model that follows rules. */
  async function answering(rules) {
    model = await ModelServer.start(script(rules))
    const provider = { sdk: 'openai-compatible', baseUrl: model.url, apiKey: 'none', models: ['player'] }
    const bot = merged(wholeOf('models'), { ai: { providers: { main: provider } } })
    return { ...bot, plugins: [...bot.plugins, 'introspection'], endpoints: [{ adapter: 'sandbox', id: 'sandbox' }] }
  }

  const channel = (user) => ({ type: 'private', id: user })
  const said = async (user = 'alice') =>
    JSON.stringify(await host.rpc('sandbox:history', { endpointId: 'sandbox', channel: channel(user) }))
  const send = (content, user = 'alice') =>
    until('the endpoint', () =>
      host.rpc('sandbox:send', { endpointId: 'sandbox', channel: channel(user), sender: { id: user }, content }),
    )
  const hears = (pattern, user = 'alice') =>
    until(`${pattern}`, async () => pattern.exec(await said(user))).catch(async (error) => {
      throw new Error(`${error.message}: ${(await said(user)).slice(-3000)}\n${host.said.slice(-2000)}`)
    })
  const ask = async (content, pattern, user = 'alice') => {
    // A message that comes while a turn is ending may join it.
    await until('rest', async () => (await host.rpc('chat:traces', {})).traces.every(({ endedAt }) => endedAt))
    await send(content, user)
    return hears(pattern, user)
  }

  it('composing a bot: the whole configuration answers', async () => {
    await follow('compose', wholeOf('compose'))
    await ask('/help', /Commands:/)
  })

  it('skills and memory: the bot reads the skill, and remembers for the owner only', async () => {
    await follow(
      'skills',
      await answering([
        [/make tea/, { name: 'activate_skill', input: { name: 'tea' } }],
        [/Remember that/, { name: 'remember', input: { text: 'Alice likes plums' } }],
        [/What do you know/, { name: 'recall', input: {} }],
      ]),
    )
    await ask('How do I make tea?', /Result: .*Green tea, at 70 degrees/)
    await ask('Remember that I like plums.', /It is remembered/)
    expect(readFileSync(join(folder, 'data/memory/MEMORY.md'), 'utf8')).to.contain('Alice likes plums')
    await ask('What do you know about me?', /MEMORY: Alice likes plums/)
    await ask('What do you know about her?', /Result: /, 'bob')
    expect(await said('bob')).not.to.contain('plums')
    await ask('/tools', /activate_skill \[skills\]/)
  })

  it('jobs: a job is added, listed, and run at once', async () => {
    const prompt = 'Tell Alice to water the plums'
    const job = { cron_expression: '0 8 * * *', prompt, notify_channel: 'im', label: 'plums' }
    await follow(
      'jobs',
      await answering([
        [/Every morning at eight/, { name: 'cron_add', input: job }],
        [/Which jobs/, { name: 'cron_list', input: {} }],
        [/water the plums/, 'Water the plums!'],
      ]),
    )
    await ask('Every morning at eight, tell me to water the plums.', /next_runs/)
    const [, id] = await ask('Which jobs are there?', /Result: \W*(\w+) \| plums \| 0 8 \* \* \*/)
    await ask(`/job run ${id}`, /Water the plums!/)
    await ask('Every morning at eight, for Bob', /may not use it|No tool fits/, 'bob')
  })

  it('a shell: reading runs unasked, and the owner is asked about the rest', async () => {
    await follow(
      'shell',
      await answering([
        [/Which day/, { name: 'bash', input: { command: 'date' } }],
        [/Make an empty file/, { name: 'bash', input: { command: 'touch list.txt' } }],
      ]),
    )
    await until('the level', async () => /commands run at level (wall|files|none)/.exec(host.said))
    const [, level] = /commands run at level (\w+)/.exec(host.said)
    await ask(
      'Which day is it? Ask the shell.',
      level === 'wall' ? /Result: .*20\d\d/ : /Result: .*20\d\d|confirmation/,
    )
    await ask('Make an empty file list.txt.', /waits for your confirmation.*touch list\.txt/)
    await send('yes')
    await until('the file', async () => existsSync(join(folder, 'workspace/list.txt')))
    await ask('Make an empty file of Bob', /may not use it|No tool fits/, 'bob')
  })

  it('MCP: the server is connected, and its tool is called', async () => {
    await follow(
      'mcp',
      await answering([[/What does a plum cost/, { name: 'prices__price', input: { fruit: 'plum' } }]]),
    )
    await until('the server', async () => /MCP server prices is connected/.test(host.said))
    await ask('/mcp', /● prices, 1 tool/)
    await ask('What does a plum cost?', /Result: .*30/)
    await ask('What does a plum cost for Bob?', /may not use it/, 'bob')
  })

  it('speech: a recording is heard and answered with a voice', async () => {
    const asked = []
    voice = createServer((request, response) => {
      asked.push(request.url)
      request.resume().on('end', () => {
        const isText = request.url?.endsWith('/transcriptions')
        response.writeHead(200, { 'content-type': isText ? 'application/json' : 'audio/mpeg' })
        response.end(isText ? JSON.stringify({ text: 'Which fruit is blue?' }) : Buffer.from('ID3 spoken'))
      })
    }).listen(0, '127.0.0.1')
    await once(voice, 'listening')
    const url = `http://127.0.0.1:${voice.address().port}/v1`
    const bot = await answering([[/Which fruit is blue/, 'Plums are blue.']])
    await follow('speech', bot, { OPENAI_API_KEY: 'a-key', OPENAI_URL: url })
    await send([{ type: 'voice', data: { base64: wav().toString('base64'), format: 'wav' } }])
    await hears(/"transcript":"Plums are blue\."/)
    expect(asked).to.include.members(['/v1/audio/transcriptions', '/v1/audio/speech'])
    expect(readdirSync(join(folder, 'data/media')).length).to.be.above(0)
    await ask('Which fruit is blue? I write this.', /"text":"Plums are blue\."/)
  })

  it('an assistant: the event of the guide reaches the owner', async () => {
    const bot = await answering([[/the door bell rang/, 'The bell rang.']])
    await follow('assistant', bot, { EVENTS_TOKEN })
    const [command] = blocksOf(quickestWay(guideText('assistant')))
      .filter(({ language, code }) => language === 'sh' && code.startsWith('curl'))
      .map(({ code }) => code.replace('http://127.0.0.1:8086', host.origin))
    const run = (token) =>
      promisify(execFile)('bash', ['-c', command], { env: { ...process.env, EVENTS_TOKEN: token } })
    expect(JSON.parse((await run(EVENTS_TOKEN)).stdout)).to.include({ success: true })
    await hears(/The bell rang\./)
    expect(JSON.parse((await run('another')).stdout)).to.include({ success: false })
  })

  it('are in Chinese as well, with the same headings and blocks', () => {
    for (const name of guides()) {
      const [english, chinese] = [guideText(name), guideText(name, 'zh-CN')]
      expect(headingsOf(chinese), name).to.deep.equal(headingsOf(english))
      expect(english, name).to.contain(`[中文](zh-CN/${name}.md)`)
      const languages = (text) => blocksOf(text).map(({ language }) => language)
      expect(languages(chinese), name).to.deep.equal(languages(english))
    }
  })

  for (const name of ['plugins', 'adapters', 'deploying'])
    it(`are in Chinese for authors and operators too, with the same code: ${name}`, () => {
      const [english, chinese] = [readFileSync(join(root, 'docs', `${name}.md`), 'utf8'), guideText(name, 'zh-CN')]
      expect(headingsOf(chinese)).to.deep.equal(headingsOf(english))
      expect(english).to.contain(`[中文](guides/zh-CN/${name}.md)`)
      const codeIn = (text) => text.match(/^```[\s\S]*?^```$/gm)
      expect(codeIn(chinese)).to.deep.equal(codeIn(english))
      const linesOfTables = (text) => text.match(/^\|/gm).length
      expect(linesOfTables(chinese)).to.equal(linesOfTables(english))
    })
})

/** Returns a PCM recording of one second of silence. */
function wav(rate = 8000) {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + rate, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(rate, 40)
  return Buffer.concat([head, Buffer.alloc(rate)])
}
