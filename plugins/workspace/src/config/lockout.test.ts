import { expect } from 'chai'
import { stat, writeFile } from 'node:fs/promises'
import { Bench, HEAD, removeAll, TOKEN } from '../test/support.js'

const ORIGIN = 'http://localhost:5173'
const NO_SERVER = HEAD.replace('  - http-core   # the server\n', '')
const OFF = HEAD.replace('  - http-core   # the server\n', '  - { name: http-core, enabled: false }\n')

describe('assertNotLockedOut', () => {
  let bench: Bench
  beforeEach(async () => {
    bench = await Bench.start('', { http: `http: { port: 0, token: ${TOKEN}, corsOrigins: ["${ORIGIN}"] }\n` })
  })
  afterEach(removeAll)

  /** By all three ways; each must say no, and leave the file as it is. */
  const refusedEverywhere = async (
    section: Record<string, unknown>,
    yaml: string,
    reason: RegExp,
    headers?: Record<string, string>,
  ): Promise<void> => {
    const before = await bench.read()
    for (const answer of [
      await bench.rest('/config/http', section, headers),
      await bench.rpc('config:set', { pluginName: 'http-core', data: section }, headers),
      await bench.rpc('config:save-yaml', { yaml }, headers),
    ]) {
      expect(answer.status).to.equal(400)
      expect(answer.code).to.equal('invalid_request:config')
      expect(answer.error).to.match(reason)
      expect(answer.details?.[0]?.path).to.match(/^http\.|^plugins/)
    }
    expect(await bench.read()).to.equal(before)
    expect((await bench.rest('/config')).status).to.equal(200)
  }

  for (const token of ['mit Leerzeichen', 'schlüssel', '密码', 'tab\there', 'nul\u0000', 'a\u200b']) {
    it(`rejects the token ${JSON.stringify(token)}, which no header can carry`, async () => {
      const text = `${HEAD}http: { port: 0, token: ${JSON.stringify(token)} }\n`
      await refusedEverywhere({ port: 0, token }, text, /printable ASCII/)
    })
  }

  it('rejects a further token that no header can carry', async () => {
    const tokens = [{ token: 'für alle', scope: 'demo', name: 'x' }]
    await refusedEverywhere(
      { port: 0, token: TOKEN, tokens },
      `${HEAD}http: { port: 0, token: ${TOKEN}, tokens: ${JSON.stringify(tokens)} }\n`,
      /printable ASCII/,
    )
  })

  for (const [what, head] of [
    ['leaves the server out', NO_SERVER],
    ['switches the server off', OFF],
    ['has no plugins', 'plugins: []\n'],
  ] as const) {
    it(`rejects a document that ${what}`, async () => {
      const before = await bench.read()
      const answer = await bench.rpc('config:save-yaml', { yaml: head })
      expect(answer).to.include({ status: 400, code: 'invalid_request:config' })
      expect(answer.error).to.contain('http-core').and.contain('log in')
      expect(await bench.read()).to.equal(before)
    })
  }

  it('accepts any name of the server', async () => {
    for (const name of ['"@mynah/plugin-http-core"', '{ name: http-core, enabled: true }']) {
      expect(
        (
          await bench.rpc('config:save-yaml', {
            yaml: `${HEAD.replace('http-core   # the server', name)}http: { port: 0, token: ${TOKEN} }\n`,
          })
        ).error,
      ).to.equal(undefined)
    }
  })

  it('rejects removing the origin of the requesting page, but not others', async () => {
    const page = { origin: ORIGIN }
    await refusedEverywhere(
      { port: 0, token: TOKEN, corsOrigins: ['https://other.example'] },
      `${HEAD}http: { port: 0, token: ${TOKEN} }\n`,
      /corsOrigins must keep http:\/\/localhost:5173/,
      page,
    )
    expect(
      (
        await bench.rpc(
          'config:set',
          { pluginName: 'http-core', data: { port: 0, token: TOKEN, corsOrigins: [ORIGIN, 'https://other.example'] } },
          page,
        )
      ).success,
    ).to.equal(true)
    expect(
      (
        await bench.rpc('config:set', {
          pluginName: 'http-core',
          data: { port: 0, token: TOKEN, corsOrigins: ['https://other.example'] },
        })
      ).success,
      'a script',
    ).to.equal(true)
  })

  it('keeps the previous file with mode 0600', async () => {
    await writeFile(`${bench.file}.bak`, 'old', { mode: 0o666 })
    expect(
      (
        await bench.rpc('config:set', {
          pluginName: 'http-core',
          data: { port: 0, token: TOKEN, corsOrigins: [ORIGIN, 'https://other.example'] },
        })
      ).success,
    ).to.equal(true)
    expect((await stat(`${bench.file}.bak`)).mode & 0o777).to.equal(0o600)
  })
})
