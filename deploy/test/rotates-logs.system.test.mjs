// Tests that the log of a host stays within its limit on disk: in a journal, and in a file that logrotate rotates.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { root } from '../../tools/lib.mjs'
import { until } from '../../tools/trial.mjs'
import { deploy, folderFor, has, run, skipBecause } from './support.mjs'

const JOURNALD = '/usr/lib/systemd/systemd-journald'
const LIMIT_MB = 24

/** A plugin that counts in the log until the host stops. */
const COUNTER = `export default { name: 'counter', setup(ctx) {
  let count = 0
  const timer = setInterval(() => ctx.log.info('counted', { count: ++count }), 2)
  ctx.onDispose('timer', () => clearInterval(timer))
} }
`

function canMount() {
  if (process.getuid?.() !== 0 || !has('unshare') || !existsSync(JOURNALD)) return false
  try {
    execFileSync('unshare', ['--mount', '--fork', 'sh', '-c', 'mount --make-rprivate / && mount -t tmpfs none /run'])
    return true
  } catch {
    return false
  }
}

describe('the log on disk', () => {
  it('stays within the limit of the journal', async function () {
    this.timeout(240_000)
    if (!canMount()) skipBecause(this, 'no file system can be mounted')
    const { folder, remove } = folderFor('journal')
    try {
      const text = readFileSync(join(deploy, 'journald-mynah.conf'), 'utf8')
      expect(text)
        .to.match(/^SystemMaxUse=1G$/m)
        .and.to.match(/^SystemKeepFree=1G$/m)
      // The same settings with a limit that is reached soon, and without a rate that a test would exceed.
      const small = text
        .replace('SystemMaxUse=1G', `SystemMaxUse=${LIMIT_MB}M\nSystemMaxFileSize=8M`)
        .replace('SystemKeepFree=1G', 'SystemKeepFree=1M')
        .replace('RateLimitIntervalSec=30s', 'RateLimitIntervalSec=0')
      writeFileSync(join(folder, 'mynah.conf'), small)
      writeFileSync(
        join(folder, 'walk.sh'),
        `set -e
mount --make-rprivate /
mount --bind "${folder}" /mnt
for place in /run /var/log /etc/systemd; do mount -t tmpfs none $place; done
mkdir -p /run/systemd /run/log /var/log/journal /etc/systemd/journald.conf.d
cp /mnt/mynah.conf /etc/systemd/journald.conf.d/
${JOURNALD} &
journald=$!
until [ -S /run/systemd/journal/stdout ] && journalctl --flush; do sleep 0.1; done
for round in 1 2 3 4 5 6; do
  yes "{\\"level\\":\\"info\\",\\"name\\":\\"host\\",\\"message\\":\\"round $round of a log with lines of a usual length\\"}" |
    head -n 60000 | systemd-cat -t mynah
  journalctl --sync
done
du --summarize --block-size=1M /var/log/journal
journalctl -D "$(echo /var/log/journal/*)" -t mynah -o cat -n 1
kill $journald
`,
      )
      const { stdout } = await run('unshare', ['--mount', '--fork', 'sh', join(folder, 'walk.sh')])
      const [size, last] = stdout.trim().split('\n')
      expect(Number.parseInt(size, 10)).to.be.within(8, LIMIT_MB + 1)
      expect(JSON.parse(last).message).to.contain('round 6')
    } finally {
      remove()
    }
  })

  it('is rotated while a host writes, and every line that is kept is whole', async function () {
    this.timeout(240_000)
    if (!has('logrotate')) skipBecause(this, 'logrotate is not installed')
    const { folder, remove } = folderFor('rotated')
    const logs = join(folder, 'logs')
    mkdirSync(logs, { mode: 0o750 })
    const file = join(logs, 'bot.log')
    writeFileSync(join(folder, 'counter.mjs'), COUNTER)
    writeFileSync(join(folder, 'mynah.config.yml'), 'plugins: [./counter.mjs]\n')
    const rules = readFileSync(join(deploy, 'logrotate.conf'), 'utf8')
    expect(rules).to.contain('/var/log/mynah/*.log {')
    writeFileSync(join(folder, 'rules'), rules.replaceAll('/var/log/mynah', logs), { mode: 0o644 })
    const output = openSync(file, 'a')
    const host = spawn(process.execPath, [join(root, 'plugins/mynah/bin/mynah.js'), 'start'], {
      cwd: folder,
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    try {
      const rotated = () => readdirSync(logs).filter((name) => name !== 'bot.log')
      for (let round = 1; round <= 3; round++) {
        await until('the file has lines', async () => readFileSync(file, 'utf8').split('counted').length > 20)
        // The names have the second in them.
        const last = Math.max(0, ...rotated().map((name) => Number(/(\d+)\.gz$/.exec(name)?.[1])))
        await until('another second', async () => Math.floor(Date.now() / 1000) > last)
        const said = await run('logrotate', [
          '--verbose',
          '--force',
          '--state',
          join(folder, 'state'),
          join(folder, 'rules'),
        ])
        expect(rotated(), said.stderr).to.have.length(round)
      }
      host.kill('SIGTERM')
      await once(host, 'exit')
      const files = rotated().sort()
      expect(files).to.have.length(3)
      for (const name of files) expect(name).to.match(/^bot\.log-\d{8}-\d+\.gz$/)
      const texts = [
        ...files.map((name) => gunzipSync(readFileSync(join(logs, name))).toString()),
        readFileSync(file, 'utf8'),
      ]
      const counts = texts
        .flatMap((text) => text.split('\n').filter(Boolean))
        .flatMap((line) => JSON.parse(line).fields?.count ?? [])
      expect(counts.length).to.be.greaterThan(80)
      expect(counts, 'no line twice, in their order').to.deep.equal([...new Set(counts)].sort((a, b) => a - b))
      const gaps = counts.filter((count, index) => index > 0 && count !== counts[index - 1] + 1)
      expect(gaps.length, 'lines are lost at a rotation only').to.be.at.most(3)
    } finally {
      if (host.exitCode === null && host.signalCode === null) {
        host.kill('SIGKILL')
        await once(host, 'exit')
      }
      remove()
    }
  })
})
