// Tests the unit with a real systemd in its own namespace: notification, reload, kill, stop, backup, confinement.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { freePort } from '../../tools/trial.mjs'
import { root } from '../../tools/lib.mjs'
import { deploy, folderFor, has, run, skipBecause } from './support.mjs'

const SYSTEMD = '/lib/systemd/systemd'
const UNITS = ['mynah@.service', 'mynah-backup@.service', 'mynah-backup@.timer']

/** Returns why this test cannot run here, or undefined. */
function hindrance() {
  if (process.getuid?.() !== 0) return 'only root makes namespaces with mounts'
  if (!has('unshare') || !has('curl') || !existsSync(SYSTEMD)) return 'systemd, unshare or curl is missing'
  if (/^\/(?:home|root|tmp|run)\//.test(`${root}/`) || /^\/(?:home|root|tmp|run)\//.test(process.execPath))
    return 'the unit does not let its host see where this repository or this Node is'
  try {
    execFileSync(
      'unshare',
      ['--mount', '--pid', '--fork', '--cgroup', 'sh', '-c', 'mount --make-rprivate / && mount -t cgroup2 none /mnt'],
      { stdio: 'ignore' },
    )
    return undefined
  } catch {
    return 'no second cgroup tree can be mounted'
  }
}

/** A plugin that tries actions that the unit forbids. */
const NOSY = `import { definePlugin } from 'mynah'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
export default definePlugin({ name: 'nosy', setup(ctx) {
  const tries: Record<string, () => unknown> = {
    own: () => writeFileSync('/srv/mynah/one/data/own', ''), other: () => writeFileSync('/srv/mynah/two/x', ''), etc: () => writeFileSync('/etc/x', ''),
    home: () => readdirSync('/root'), process: () => readFileSync('/proc/1/cmdline'), kernel: () => writeFileSync('/proc/sys/kernel/hostname', 'x'), device: () => readFileSync('/dev/kmsg'),
  }
  const can = Object.keys(tries).filter((name) => { try { tries[name]?.(); return true } catch { return false } })
  writeFileSync('/srv/mynah/one/data/can', can.join(' '))
} })
`

/** Returns the commands that run under systemd; \`report\` writes a line of the result. */
const script = (folder, port) => `
report() { echo "$1=$2" >> ${folder}/result; }
health() { curl -s --retry 100 --retry-connrefused --retry-delay 1 http://127.0.0.1:${port}/pub/health | grep -o '"status":"ok"'; }
systemctl start mynah@one; report started $?
report can "$(cat /srv/mynah/one/data/can)"
report health "$(health)"
main=$(systemctl show -p MainPID --value mynah@one)
systemctl reload mynah@one; report reloaded $?
child=$(pgrep -P $main); kill -9 $child
until [ -n "$(pgrep -P $main)" ] && [ "$(pgrep -P $main)" != "$child" ]; do sleep 0.1; done
report afterCrash "$(health)"
report sameSupervisor "$([ "$(systemctl show -p MainPID --value mynah@one)" = $main ] && echo yes)"
systemctl start mynah-backup@one; report backup $?
report backups "$(ls /srv/mynah/one/data/backups | wc -l)"
systemctl start mynah@two; report takenPort "$(systemctl show -p ExecMainStatus --value mynah@two)"
report notAgain "$(systemctl show -p ActiveState --value mynah@two)"
kill -9 $main
until [ "$(systemctl show -p NRestarts --value mynah@one)" = 1 ] && systemctl is-active -q mynah@one; do sleep 0.1; done
report afterKill "$(health)"
systemctl stop mynah@one; report stopped $?
report result "$(systemctl show -p Result --value mynah@one)"
systemctl poweroff --force --force
`

/** Starts systemd in its own namespaces. */
const boot = (folder) => `set -e
mount --make-rprivate /
umount -R /sys/fs/cgroup 2>/dev/null || true
mount -t cgroup2 none /sys/fs/cgroup
for place in /run /srv /var/tmp; do mount -t tmpfs tmpfs $place; done
cp -a ${folder}/mynah /srv/mynah
(cat /etc/passwd; echo 'mynah:x:987:987::/srv/mynah:/usr/sbin/nologin') > ${folder}/passwd
(cat /etc/group; echo 'mynah:x:987:') > ${folder}/group
for name in passwd group; do mount --bind ${folder}/$name /etc/$name; done
if [ -e /etc/machine-id ]; then echo 0123456789abcdef0123456789abcdef > ${folder}/id; mount --bind ${folder}/id /etc/machine-id; fi
chown -R 987:987 /srv/mynah
export container=other SYSTEMD_UNIT_PATH=${folder}/units SYSTEMD_GENERATOR_PATH=${folder}/none SYSTEMD_ENVIRONMENT_GENERATOR_PATH=${folder}/none
exec ${SYSTEMD} --system --unit=try.target --log-target=console
`

describe('a host under systemd', () => {
  it('starts, reloads, restarts, stops and is backed up, and can do nothing else', async function () {
    this.timeout(180_000)
    if (hindrance() !== undefined) skipBecause(this, hindrance())
    const { folder, remove } = folderFor('systemd')
    try {
      const units = join(folder, 'units')
      for (const place of ['units/mynah@.service.d', 'units/mynah-backup@.service.d', 'none', 'mynah'])
        mkdirSync(join(folder, place), { recursive: true })
      for (const name of UNITS) copyFileSync(join(deploy, name), join(units, name))
      for (const name of ['sysinit', 'basic', 'shutdown', 'network-online', 'multi-user', 'timers'])
        writeFileSync(join(units, `${name}.target`), '[Unit]\nDefaultDependencies=no\n')
      for (const name of ['mynah@', 'mynah-backup@'])
        writeFileSync(
          join(units, `${name}.service.d/node.conf`),
          `[Service]\nEnvironment=PATH=${dirname(process.execPath)}:/usr/bin:/bin\n`,
        )
      writeFileSync(join(units, 'try.target'), '[Unit]\nDefaultDependencies=no\nWants=try.service\n')
      writeFileSync(
        join(units, 'try.service'),
        `[Unit]\nDefaultDependencies=no\n[Service]\nType=oneshot\nExecStart=/bin/bash ${folder}/try.sh\n`,
      )
      const port = await freePort()
      for (const name of ['one', 'two']) {
        mkdirSync(join(folder, 'mynah', name))
        writeFileSync(
          join(folder, 'mynah', name, 'mynah.config.yml'),
          `plugins: [http-core${name === 'one' ? ', ./nosy.ts' : ''}]\nhttp: { port: ${port} }\n`,
        )
        symlinkSync(join(root, 'node_modules'), join(folder, 'mynah', name, 'node_modules'))
      }
      writeFileSync(join(folder, 'mynah/one/nosy.ts'), NOSY)
      writeFileSync(join(folder, 'boot.sh'), boot(folder))
      writeFileSync(join(folder, 'try.sh'), script(folder, port))
      chmodSync(folder, 0o755)
      const { stdout, stderr } = await run('timeout', [
        '--signal=KILL',
        '170',
        'unshare',
        '--pid',
        '--fork',
        '--mount',
        '--mount-proc',
        '--uts',
        '--ipc',
        '--cgroup',
        'bash',
        join(folder, 'boot.sh'),
      ]).catch((error) => error)
      expect(existsSync(join(folder, 'result')), `${stdout}${stderr}`).to.equal(true)
      const report = Object.fromEntries(
        readFileSync(join(folder, 'result'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/s).slice(0, 2)),
      )
      const well = '"status":"ok"'
      expect(report, stdout).to.deep.equal({
        started: '0',
        can: 'own',
        health: well,
        reloaded: '0',
        afterCrash: well,
        sameSupervisor: 'yes',
        backup: '0',
        backups: '1',
        takenPort: '3',
        notAgain: 'failed',
        afterKill: well,
        stopped: '0',
        result: 'success',
      })
    } finally {
      remove()
    }
  })
})
