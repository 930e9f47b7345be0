import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { Bench } from '../test/cli.js'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

describe('command line', () => {
  let bench: Bench
  before(async () => {
    bench = await Bench.of({})
  })
  after(() => bench.remove())

  it('exits with 64 and the reason if it is invalid', async () => {
    for (const [args, text] of [
      ['', 'no command given'],
      ['strat', 'did you mean "start"?'],
      ['start --show', 'no option --show'],
      ['start --nonesuch', "Unknown option '--nonesuch'"],
      ['start --consle', "Unknown option '--consle'; did you mean --console?"],
      ['start -c', 'argument missing'],
      ['config', 'there is no command "config"'],
      ['start extra', 'there is no command "start extra"'],
    ] as const) {
      const { code, out, err } = await bench.run(args)
      expect(code, args).to.equal(64)
      expect(err, args).to.contain(text).and.to.contain('mynah help')
      expect(out, args).to.equal('')
    }
  })

  it('exits with 64 for an invalid MYNAH_LOG', async () => {
    const { code, err } = await bench.run('start', { MYNAH_LOG: 'loud' })
    expect(code).to.equal(64)
    expect(err).to.contain('MYNAH_LOG must be one of debug, info, warn, error, not "loud"')
  })

  it('names the required version on an old Node, as the packages declare it', async () => {
    const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } })"
    for (const [bin, name] of [
      ['plugins/mynah', 'mynah'],
      ['create-mynah', 'create-mynah'],
    ] as const) {
      const { engines } = JSON.parse(await readFile(join(ROOT, bin, 'package.json'), 'utf8')) as {
        engines: { node: string }
      }
      const run = (...args: string[]) =>
        promisify(execFile)(process.execPath, [...args, join(ROOT, bin, 'bin', `${name}.js`), '--help'], {
          cwd: bench.folder,
        }).then(
          () => ({ code: 0, stderr: '' }),
          (error: { code: number; stderr: string }) => error,
        )
      expect(await run('--import', `data:text/javascript,${encodeURIComponent(old)}`))
        .to.include({ code: 1 })
        .and.to.have.property('stderr')
        .that.contains(`needs Node ${engines.node.replace('>=', '')} or later, and this is 20.18.3`)
        .and.not.contains('    at ')
      expect((await run()).code).to.equal(0)
    }
  })

  it('prints help and version', async () => {
    for (const args of ['help', '--help', 'start -h']) {
      const { code, out } = await bench.run(args)
      expect(code).to.equal(0)
      for (const word of [
        'mynah start',
        'mynah dev',
        'mynah doctor',
        'mynah config check',
        'mynah token',
        'Exit codes',
      ])
        expect(out).to.contain(word)
    }
    expect((await bench.run('version')).out).to.match(/^\d+\.\d+\.\d+\n$/)
  })
})
