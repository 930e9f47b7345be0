// Each kind of bad input through the real command line: exit code, place and remedy.
import { expect } from 'chai'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { Bench, plugin } from '../test/cli.js'

/** Files, and what the command line must say about them. */
const fatal: Record<string, { files: Record<string, string>; says: readonly string[] }> = {
  'a file that is not there': {
    files: {},
    says: ['mynah.config.yml cannot be read: it does not exist', 'name another with -c'],
  },
  'a file that is a folder': { files: { 'mynah.config.yml/x': '' }, says: ['it is a directory'] },
  'text that is no YAML': {
    files: { 'mynah.config.yml': 'plugins: [\n' },
    says: ['mynah.config.yml:', 'Fix the YAML'],
  },
  'an unknown plugin': {
    files: { 'mynah.config.yml': 'plugins:\n  - htp-core\n' },
    says: ['mynah.config.yml:2: no plugin "htp-core" is installed; did you mean "http-core"?', 'Install the package'],
  },
  'a missing variable': {
    files: { 'mynah.config.yml': 'plugins: []\na: ${NONESUCH}\nb: [x, "${NONESUCH}"]\n' },
    says: ['mynah.config.yml:2: the variable NONESUCH is not set; used by a (line 2), b[1] (line 3)', 'in .env'],
  },
  'an unknown key of the server': {
    files: { 'mynah.config.yml': 'plugins: [http-core]\nhttp:\n  prot: 1\n' },
    says: ['mynah.config.yml:3: http.prot is not known here; did you mean "port"?'],
  },
  'a wrong type in the server': {
    files: { 'mynah.config.yml': 'plugins: [http-core]\nhttp: { port: often }\n' },
    says: ['mynah.config.yml:2: http.port must be integer, not string'],
  },
  'a list that is none': { files: { 'mynah.config.yml': 'plugins: http-core\n' }, says: ['plugins must be a list'] },
  'an alias bomb': {
    files: {
      'mynah.config.yml': [
        'a0: &a0 [x, x, x, x, x, x, x, x, x]',
        ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`),
      ].join('\n'),
    },
    says: ['aliases make this file grow'],
  },
}

describe('mynah start', () => {
  let bench: Bench | undefined
  afterEach(async () => {
    await bench?.remove()
  })

  for (const [name, { files, says }] of Object.entries(fatal)) {
    it(`exits with 2 for ${name}`, async () => {
      bench = await Bench.of(files)
      const { code, out, err } = await bench.run('start')
      expect(code, err).to.equal(2)
      for (const text of says) expect(err).to.contain(text)
      expect(err).not.to.contain('    at ')
      expect(out).to.equal('')
      expect((await bench.run('config check')).code).to.equal(2)
    })
  }

  it('exits with 3 if the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    bench = await Bench.of({ 'mynah.config.yml': `plugins: [http-core]\nhttp: { port: ${port} }\n` })
    const { code, err } = await bench.run('start')
    server.close()
    expect(code, err).to.equal(3)
    expect(err).to.contain(String(port)).and.to.contain('error: ')
    expect(err.trim().split('\n')).to.have.length(2)
  })

  it('continues with one message for each failed plugin', async () => {
    const service = (id: string): string => `{ kind: 'service', id: '${id}', key: '${id}@1' }`
    const point = "{ kind: 'point', id: 'p', key: (v) => v, describe: (v) => ({ name: v }) }"
    bench = await Bench.of({
      'mynah.config.yml': [
        'plugins: [./fine.js, ./throws.js, ./rejects.js, ./loads.js, ./cycle-a.js, ./cycle-b.js,',
        '  ./first.js, ./second.js, ./section.js, ./later.js, ./waits.js]',
        'section: { port: often }',
        'leftover: 1\n',
      ].join('\n'),
      'fine.js': plugin('fine', "ctx.log.info('fine is up')"),
      'throws.js': plugin('throws', "throw new Error('it throws')"),
      'rejects.js': plugin('rejects', "return Promise.reject(new Error('it rejects'))"),
      'loads.js': "throw new Error('it does not load')",
      'cycle-a.js': plugin('cycle-a', '', `needs: { b: ${service('b')} }, provides: [${service('a')}],`),
      'cycle-b.js': plugin('cycle-b', '', `needs: { a: ${service('a')} }, provides: [${service('b')}],`),
      'first.js': plugin('first', `ctx.contribute(${point}, 'same')`),
      'second.js': plugin('second', `ctx.contribute(${point}, 'same')`),
      'section.js': plugin(
        'section',
        '',
        "config: { key: 'section', schema: { type: 'object', properties: { port: { type: 'integer' } }, additionalProperties: false } },",
      ),
      'later.js': plugin(
        'later',
        "setImmediate(() => { throw new Error('it throws later') }); Promise.reject(new Error('unhandled rejection'))",
      ),
      'waits.js': plugin('waits', '', `needs: { missing: ${service('missing')} },`),
    })
    const running = bench.start('start')
    await running.shows(/plugins are up/)
    for (const text of [
      'fine is up',
      'it throws',
      'it rejects',
      'it does not load',
      'cycle-a → cycle-b → cycle-a',
      'first has contributed already',
      'mynah.config.yml:3: section.port must be integer',
      'leftover is read by no plugin',
      'waiting for missing: no plugin declares it',
    ]) {
      await running.shows(new RegExp(text.replace(/[.[\]]/g, '\\$&')))
    }
    await running.shows(/it throws later/)
    await running.shows(/unhandled rejection/)
    expect(running.out).to.match(/\d of 11 plugins are up/)
    expect(await running.signal('SIGTERM')).to.equal(0)
  })

  it('does not wait forever for a plugin', async function () {
    this.timeout(40_000)
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./hangs.js, ./fine.js]\n',
      'hangs.js': plugin('hangs', 'return new Promise(() => {})'),
      'fine.js': plugin('fine', "ctx.log.info('fine is up')"),
    })
    const running = bench.start('start')
    await running.shows(/fine is up/)
    await running.shows(/setup has been running/)
    expect(await running.signal('SIGINT')).to.equal(0)
  })

  it('warns about folders that no shell command gets', async () => {
    bench = await Bench.of({
      'mynah.config.yml': [
        'plugins: [exec-security]',
        `ai: { agent: { execView: { read: [${homedir()}], write: [/srv/work] } } }`,
        '',
      ].join('\n'),
    })
    const { code, out } = await bench.run('config check')
    expect(code, out).to.equal(0)
    expect(out)
      .to.contain(`warning: ai.agent.execView.read: ${homedir()} holds the home folder\n    Name the folders`)
      .and.to.contain('0 errors, 1 warning')
  })

  it('warns about an unused section', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: []\nserveClientHost: false\nold: { a: 1 }\n' })
    const { code, out } = await bench.run('config check')
    expect(code).to.equal(0)
    expect(out)
      .to.contain('warning: mynah.config.yml:3: old is read by no plugin')
      .and.to.contain('0 errors, 1 warning')
  })
})
