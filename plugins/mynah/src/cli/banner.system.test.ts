import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { printBanner } from './banner.js'
import { describeUnexpected } from './user-error.js'
import { loadHost } from '@mynah/kernel/loader'
import { Bench, freePort, plugin } from '../test/cli.js'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

describe('printBanner', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('shows address, token, console and the next step on a terminal', async () => {
    bench = await Bench.of({
      'mynah.config.yml': [
        'plugins: [http-core]',
        `http: { host: 0.0.0.0, port: ${await freePort()}, token: "0123456789-abcdefghij-KLMNOPQRST" }`,
      ].join('\n'),
    })
    const file = join(bench.folder, 'mynah.config.yml')
    const loaded = await loadHost(file, { env: {} })
    await loaded.host.start()
    const written: string[] = []
    const lines: string[] = []
    await printBanner(
      loaded,
      { file, shown: 'mynah.config.yml', verbose: false, console: 'http://127.0.0.1:5180' },
      { write: (text) => written.push(text), pretty: true, colour: false, level: 'info' },
      (_, line) => lines.push(line),
    )
    await loaded.host.stop()
    const text = written.join('')
    expect(text)
      .to.match(/Host +http:\/\/0\.0\.0\.0:\d+\n/)
      .and.to.match(/Token +0123456789-abcdefghij-KLMNOPQRST {2}\(as http\.token in /)
    // The address must open in a browser.
    expect(text)
      .to.match(/Console +http:\/\/127\.0\.0\.1:5180\/\?apiBaseUrl=http%3A%2F%2F127\.0\.0\.1%3A\d+#token=/)
      .and.to.match(/#token=0123456789-abcdefghij-KLMNOPQRST\n/)
      .and.to.match(/Next +open the console\n/)
    expect(lines).to.deep.equal(['1 of 1 plugins are up, the configuration is in order'])
  })

  it('is preceded by progress lines while a plugin starts slowly', async function () {
    this.timeout(30_000)
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./slow.js]',
      'slow.js': plugin('slow', 'return new Promise((resolve) => setTimeout(resolve, 6000))'),
    })
    const running = bench.start('start')
    await running.shows(/still starting: slow/)
    await running.shows(/1 of 1 plugins are up/)
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('is replaced by an unexpected error, with its stack only in verbose mode', async () => {
    bench = await Bench.of({})
    const error = new Error('odd')
    expect(describeUnexpected(error, false)).to.equal(
      'odd\n    This error is unexpected; --verbose shows where it happened',
    )
    expect(describeUnexpected(error, true)).to.contain('    at ')
    expect(describeUnexpected('text', true)).to.equal('text')
  })

  it('works with npx mynah in the examples as the README describes', async () => {
    bench = await Bench.of({})
    const linked = join(ROOT, 'node_modules/.bin/mynah')
    expect(existsSync(linked), 'npm ci links the command before anything is built').to.equal(true)
    const { stdout } = await promisify(execFile)(linked, ['config', 'check'], {
      cwd: join(ROOT, 'examples/single-file'),
    })
    expect(stdout).to.equal('mynah.config.yml is in order\n')
  })
})
