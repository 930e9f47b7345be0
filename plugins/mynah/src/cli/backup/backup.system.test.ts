// `mynah backup` and `mynah restore`: a round trip of a running host with its database, and what is refused.
import { expect } from 'chai'
import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCatalogue } from './catalogue.js'
import { restoreInto } from './restore.js'
import { writeBackup } from './write.js'
import { fileFailure } from '../file-failure.js'
import { runInterruptible } from '../run-interruptible.js'
import { Bench, freePort, plugin } from '../../test/cli.js'

const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))
const TOKEN = 'a-token-for-the-backup-test-01'

describe('backup', () => {
  let bench: Bench
  afterEach(() => bench.remove())

  it('copies a running host consistently, and a restore brings back all rows', async function () {
    this.timeout(60_000)
    const port = await freePort()
    bench = await Bench.of({
      'mynah.config.yml': `plugins: [http-core, console-rpc, database, ./plugins/counter.ts]\nhttp: { port: ${port} }\n`,
      '.env': `HTTP_TOKEN=${TOKEN}\n`,
      'package.json': '{ "name": "counted", "type": "module" }',
      'plugins/counter.ts':
        "import { Database } from '@mynah/plugin-database/api'\nimport { step } from './step.ts'\nexport default { name: 'counter', needs: { database: Database }, async setup(ctx: any) { const counts = ctx.database.kv('counts'); let on = true; let n = (await counts.get('n')) ?? 0; ctx.log.info('counts from ' + n); const work = (async () => { while (on) { n += step; await counts.set('n', n); await counts.set('twin', n) } })(); ctx.onDispose('work', () => { on = false; return work }) } }",
      'plugins/step.ts': 'export const step: number = 1',
    })
    await symlink(MODULES, join(bench.folder, 'node_modules'))
    const running = bench.start('start')
    await running.shows(/counts from 0/)
    await running.shows(/plugins are up/)
    const { code, out, err } = await bench.run('backup saved')
    expect(code, err).to.equal(0)
    expect(out).to.match(/^saved: \d+ files, /)
    expect((await stat(join(bench.folder, 'saved'))).mode & 0o777).to.equal(0o700)
    const kept = (await readdir(join(bench.folder, 'saved'), { recursive: true })).sort()
    expect(kept).to.include.members([
      '.env',
      'backup.json',
      'data/mynah.sqlite',
      'mynah.config.yml',
      'package.json',
      'plugins/counter.ts',
      'plugins/step.ts',
    ])
    expect(kept.filter((path) => /-wal|-shm|\.lock|control|exec-level|node_modules/.test(path))).to.deep.equal([])

    const refused = await bench.run('restore saved')
    expect(refused.code).to.equal(1)
    expect(refused.err).to.contain('the host is running')
    expect(await running.signal('SIGTERM')).to.equal(0)

    // The loss: everything but the backup and the packages.
    for (const name of await readdir(bench.folder))
      if (name !== 'saved' && name !== 'node_modules') await rm(join(bench.folder, name), { recursive: true })
    const restored = await bench.run('restore saved')
    expect(restored.code, restored.err).to.equal(0)
    expect(restored.out).to.contain('Next: npm ci, mynah doctor, mynah start')
    for (const path of kept.filter((name) => name !== 'backup.json')) {
      if (!(await stat(join(bench.folder, 'saved', path))).isFile()) continue
      expect(await readFile(join(bench.folder, path)), path).to.deep.equal(
        await readFile(join(bench.folder, 'saved', path)),
      )
    }
    const again = bench.start('start')
    const [, from] = await again.shows(/counts from (\d+)/)
    expect(Number(from)).to.be.greaterThan(0)
    await again.shows(/plugins are up/)
    const response = await fetch(`http://127.0.0.1:${port}/api/console/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: '{"type":"ping","requestId":1}',
    })
    expect(response.status).to.equal(200)
    expect(await again.signal('SIGTERM')).to.equal(0)
  })

  it('replaces a host only with --yes and keeps the previous files', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: []', 'data/notes.txt': 'old', '.env': 'A=1' })
    expect((await bench.run('backup')).code).to.equal(0)
    const [name] = await readdir(join(bench.folder, 'data/backups'))
    await bench.write({ 'data/notes.txt': 'new' })
    const { code, err } = await bench.run(`restore data/backups/${name}`)
    expect(code).to.equal(1)
    expect(err).to.contain('there is already a host here').and.to.contain('--yes')
    const { out } = await bench.run(`restore data/backups/${name} --yes`)
    const [, aside] = /the previous files are in (data\/before-restore-\S+)\./.exec(out) ?? []
    expect(await readFile(join(bench.folder, 'data/notes.txt'), 'utf8')).to.equal('old')
    expect(await readFile(join(bench.folder, aside as string, 'data/notes.txt'), 'utf8')).to.equal('new')
    expect((await readdir(bench.folder)).sort()).to.deep.equal(['.env', 'data', 'mynah.config.yml'])
    expect(await readdir(join(bench.folder, 'data/backups')), 'backups stay where they are').to.deep.equal([name])
    const { out: second } = await bench.run('backup again')
    expect(second, 'and are not backed up').to.match(/^again: 3 files/)
  })

  it('comes back with a private folder for the data', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: []', 'data/media/notes.txt': 'old' })
    const { code } = await bench.run('backup saved')
    expect(code).to.equal(0)
    await rm(join(bench.folder, 'data'), { recursive: true })
    await rm(join(bench.folder, 'mynah.config.yml'))
    expect((await bench.run('restore saved')).code).to.equal(0)
    for (const name of ['data', 'data/media'])
      expect((await stat(join(bench.folder, name))).mode & 0o777, name).to.equal(0o700)
  })

  it('is rejected if it is damaged, incomplete or hostile, without changing anything', async () => {
    bench = await Bench.of({
      'mynah.config.yml': 'plugins: [./p.js]',
      'p.js': plugin('p', ''),
      'data/notes.txt': 'old',
    })
    await bench.run('backup saved')
    const saved = (name: string): string => join(bench.folder, name)
    const cases: readonly [string, (folder: string) => Promise<void>, string][] = [
      [
        'changed',
        (folder) => writeFile(join(folder, 'data/notes.txt'), 'evil'),
        'is damaged: data/notes.txt has changed since the backup',
      ],
      ['cut', (folder) => rm(join(folder, 'p.js')), 'is incomplete: p.js cannot be read (ENOENT)'],
      [
        'hostile',
        async (folder) => {
          const list = JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')) as { files: { path: string }[] }
          list.files.push({ path: '../out.txt' })
          await writeFile(join(folder, 'backup.json'), JSON.stringify(list))
        },
        'names a file outside of the host',
      ],
      [
        'newer',
        (folder) => writeFile(join(folder, 'backup.json'), '{ "format": 99 }'),
        'not a backup that this version can read',
      ],
      ['broken', (folder) => writeFile(join(folder, 'backup.json'), '{'), 'is not a backup'],
    ]
    await mkdir(saved('empty'))
    for (const [name, spoil, says] of cases) {
      await cp(saved('saved'), saved(name), { recursive: true })
      await spoil(saved(name))
      const { code, err } = await bench.run(`restore ${name} -c empty/mynah.config.yml`)
      expect(code, name).to.equal(1)
      expect(err, name).to.contain(says).and.not.to.contain('    at ')
      expect(await readdir(saved('empty')), name).to.deep.equal([])
    }
    expect((await bench.run('restore nowhere')).err).to.contain('nowhere is not a backup (ENOENT)')
    expect((await bench.run('restore')).code).to.equal(64)
    expect((await bench.run('backup data')).err).to.contain('data is not empty')
    expect((await bench.run('backup x -c gone.yml')).code).to.equal(2)
  })

  it('leaves nothing behind if it is cancelled or the disk is full', async () => {
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: []', 'a.ts': '', 'b.ts': '', 'package.json': '{}' })
    const file = join(bench.folder, 'mynah.config.yml')
    const before = (await readdir(bench.folder)).sort()
    const stopsAt = (calls: number) =>
      runInterruptible((step) => {
        let called = 0
        return writeBackup(file, join(bench.folder, 'saved'), '0', () => {
          if (++called === calls) process.emit('SIGTERM')
          step()
        })
      }).then(
        () => undefined,
        (error: unknown) => error,
      )
    expect(await stopsAt(2)).to.include({ message: 'cancelled; all changes were undone', exitCode: 130 })
    expect((await readdir(bench.folder)).sort()).to.deep.equal(before)
    expect(await stopsAt(99)).to.equal(undefined)
    expect(await readdir(bench.folder)).to.include('saved')
    const restore = (into: string, step: () => void) =>
      readCatalogue(join(bench.folder, 'saved'), 'saved')
        .then((content) => restoreInto(into, join(bench.folder, 'saved'), content, true, step))
        .then(
          () => undefined,
          (error: unknown) => error,
        )
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
      path: file,
    })
    expect(
      await restore(bench.folder, () => {
        throw full
      }),
    ).to.equal(full)
    expect((await readdir(bench.folder)).sort()).to.deep.equal([...before, 'saved'].sort())
    const { code, err } = await bench.run('backup a.ts/x')
    expect([code, err]).to.deep.equal([
      1,
      'mynah: a.ts/x: a part of the path is a file (ENOTDIR)\n    Choose another path\n',
    ])
    expect((await bench.run('backup a.ts/x --verbose')).err).to.contain('    at ')
    expect(fileFailure(full)?.message).to.contain('the disk is full (ENOSPC)')
    expect(fileFailure(new Error('of something else'))).to.equal(undefined)
  })

  it('belongs to the owner of the host, and so do restored files, if root runs it', async function () {
    if (process.getuid?.() !== 0) this.skip()
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: []', 'plugins/a.ts': '', 'data/kept': 'x' })
    const owned = async (): Promise<string[]> => {
      const names = await readdir(bench.folder, { recursive: true })
      const owners = await Promise.all(
        names.map(async (name) => [name, (await stat(join(bench.folder, name))).uid] as const),
      )
      return owners.filter(([, uid]) => uid !== 65_534).map(([name]) => name)
    }
    for (const name of ['', ...(await readdir(bench.folder, { recursive: true }))])
      await chown(join(bench.folder, name), 65_534, 65_534)
    const { out, err } = await bench.run('backup')
    expect(await owned(), err).to.deep.equal([])
    expect((await bench.run(`restore ${out.split(':', 1)[0] ?? ''} --yes`)).code).to.equal(0)
    expect(await owned()).to.deep.equal([])
    await chown(join(bench.folder, 'data'), 0, 0)
    expect((await bench.run('doctor')).out).to.match(
      /note {2}data: data belongs to another user .*\n.*chown -R --reference=\. data/,
    )
  })

  it('reports data of the host that is not included', async () => {
    bench = await Bench.of({
      'host/mynah.config.yml': 'plugins: [../p.js]\n',
      'p.js': plugin('p', ''),
    })
    const { out } = await bench.run('backup saved -c host/mynah.config.yml')
    expect(out).to.contain('not included: ').and.to.contain('p.js is outside of the folder of the host')
    await chmod(join(bench.folder, 'saved'), 0o700)
  })

  it('fails for a PostgreSQL that does not answer, and leaves no half of a backup', async () => {
    const url = `postgres://127.0.0.1:${await freePort()}/x`
    bench = await Bench.of({
      'mynah.config.yml': `plugins: [database]\ndatabase: { type: postgres, url: "${url}" }\n`,
    })
    const { code, err } = await bench.run('backup saved')
    expect(code).to.equal(1)
    expect(err).to.match(/the PostgreSQL database cannot be copied: .*ECONNREFUSED/)
    expect(await readdir(bench.folder)).to.deep.equal(['mynah.config.yml'])
  })

  it('hands its database alone to a host with another one', async function () {
    this.timeout(60_000)
    bench = await Bench.of({ 'mynah.config.yml': 'plugins: [database]\n' })
    await symlink(MODULES, join(bench.folder, 'node_modules'))
    const first = bench.start('start')
    await first.shows(/plugins are up/)
    await first.signal('SIGTERM')
    expect((await bench.run('backup saved')).code).to.equal(0)
    await writeFile(join(bench.folder, 'mynah.config.yml'), 'plugins: [database]\ndatabase: { file: other.sqlite }\n')
    expect((await bench.run('restore saved --database')).out).to.contain('Next: mynah start')
    expect((await bench.run('restore saved --database')).err).to.contain('data/move.sqlite is there already')
    expect(await readFile(join(bench.folder, 'mynah.config.yml'), 'utf8')).to.contain('other.sqlite')
    const second = bench.start('start')
    await second.shows(/rows of another database were moved into this one/)
    await second.signal('SIGTERM')
    expect(await readdir(join(bench.folder, 'data')))
      .to.include('move-done.sqlite')
      .and.not.to.include('move.sqlite')
  })
})
