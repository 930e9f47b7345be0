// Tests that the systemd units are valid and hardened, and that the Containerfile is valid and builds.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { expect } from 'chai'
import { deploy, folderFor, has, run, skipBecause } from './support.mjs'

/** Limit of `systemd-analyze security`, of 10 points; a unit without hardening has 9.6. */
const MOST_EXPOSED = 2

const baseImages = () =>
  [...readFileSync(join(deploy, 'Containerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)

describe('the service files', () => {
  it('define valid systemd units and backups with few rights', async function () {
    this.timeout(30_000)
    if (!has('systemd-analyze')) skipBecause(this, 'systemd is not installed')
    const { folder, remove } = folderFor('units')
    try {
      const program = join(folder, 'mynah')
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
      const names = ['mynah@.service', 'mynah-backup@.service', 'mynah-backup@.timer']
      // Checked as an instance, with programs that exist here.
      for (const name of names)
        writeFileSync(
          join(folder, name),
          readFileSync(join(deploy, name), 'utf8')
            .replaceAll('/srv/mynah/%i/node_modules/.bin/mynah', program)
            .replaceAll('/srv/mynah/%i', folder),
        )
      for (const name of names)
        expect((await run('systemd-analyze', ['verify', '--man=no', join(folder, name)])).stderr, name).to.not.match(
          /Unknown|invalid|Failed|ignoring/i,
        )
      const { stdout } = await run('systemd-analyze', ['security', '--offline=true', join(folder, 'mynah@.service')])
      const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? []
      expect(
        Number(exposure),
        stdout
          .split('\n')
          .filter((line) => line.startsWith('✗'))
          .join('\n'),
      ).to.be.at.most(MOST_EXPOSED)
      for (const name of names.filter((other) => other !== 'mynah-backup@.service'))
        expect(readFileSync(join(deploy, name), 'utf8')).to.contain('[Install]\nWantedBy=')
    } finally {
      remove()
    }
  })

  it('of systemd gives groups to shell commands, and namespaces with the drop-in', async function () {
    this.timeout(30_000)
    if (!has('systemd-analyze')) skipBecause(this, 'systemd is not installed')
    const { folder, remove } = folderFor('drop-in')
    try {
      const unit = readFileSync(join(deploy, 'mynah@.service'), 'utf8')
      expect(unit).to.match(/^Delegate=yes$/m)
      writeFileSync(
        join(folder, 'mynah@.service'),
        unit.replaceAll('/srv/mynah/%i/node_modules/.bin/mynah', '/bin/true').replaceAll('/srv/mynah/%i', folder),
      )
      mkdirSync(join(folder, 'mynah@.service.d'))
      writeFileSync(
        join(folder, 'mynah@.service.d/commands.conf'),
        readFileSync(join(deploy, 'mynah-commands.conf'), 'utf8'),
      )
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', join(folder, 'mynah@.service')])
      expect(stderr).to.not.match(/Unknown|invalid|Failed|ignoring/i)
    } finally {
      remove()
    }
  })

  it('of Caddy lead to the hosts of a cluster', async function () {
    this.timeout(30_000)
    const service = '/lib/systemd/system/caddy.service'
    if (!has('systemd-analyze') || !has('caddy') || !existsSync(service))
      skipBecause(this, 'systemd, or the package caddy with its service, is not installed')
    const { folder, remove } = folderFor('caddy')
    try {
      mkdirSync(join(folder, 'caddy.service.d'))
      copyFileSync(service, join(folder, 'caddy.service'))
      copyFileSync(join(deploy, 'caddy-cluster.conf'), join(folder, 'caddy.service.d/caddy-cluster.conf'))
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', join(folder, 'caddy.service')])
      expect(stderr).to.not.match(/Unknown|invalid|Failed|ignoring/i)
      const [, hosts] = /^Environment="HOSTS=(.+)"$/m.exec(readFileSync(join(deploy, 'caddy-cluster.conf'), 'utf8'))
      const upstreams = async (env) => {
        const args = ['adapt', '--config', join(deploy, 'Caddyfile.cluster'), '--adapter', 'caddyfile']
        const { stdout } = await run('caddy', args, { env: { ...process.env, HOME: folder, ...env } })
        return Array.from(stdout.matchAll(/"dial":"([^"]+)"/g), ([, address]) => address)
      }
      expect(await upstreams({ HOSTS: hosts })).to.deep.equal(['10.0.0.11:8086', '10.0.0.12:8086', '10.0.0.13:8086'])
      expect(await upstreams({})).to.deep.equal(['one:8086', 'two:8086', 'three:8086'])
    } finally {
      remove()
    }
  })

  it('run a container without privileges, with a health check and its data outside', () => {
    const text = readFileSync(join(deploy, 'Containerfile'), 'utf8')
    expect(validate(text)).to.deep.equal([])
    const last = text.slice(text.lastIndexOf('\nFROM '))
    expect(last)
      .to.match(/^USER (?!root)\w+$/m)
      .and.to.match(/^HEALTHCHECK /m)
      .and.to.match(/^VOLUME \/srv\/host$/m)
      .and.to.contain('ENTRYPOINT [')
    expect(text.match(/^FROM /gm), 'compilers stay in the first stage').to.have.length(2)
    expect(text).to.not.match(/^(?:ADD|ARG .*TOKEN|ENV .*TOKEN)/m)
  })

  it('build the container if a builder is available', async function () {
    this.timeout(600_000)
    const does = (...call) =>
      run(call[0], call.slice(1)).then(
        () => true,
        () => false,
      )
    let builder
    for (const program of ['docker', 'podman', 'buildah'])
      if (!builder && has(program) && (await does(program, 'info'))) builder = program
    if (!builder) skipBecause(this, 'no builder of containers works here')
    // Building needs the base images, or a registry to get them from.
    for (const image of baseImages())
      if (!(await does(builder, 'inspect', '--type', 'image', image)) && !(await does(builder, 'pull', image)))
        skipBecause(this, `the image ${image} cannot be had`)
    const { folder, remove } = folderFor('image')
    try {
      writeFileSync(
        join(folder, 'package.json'),
        '{ "name": "image", "version": "1.0.0", "private": true, "dependencies": { "ms": "2.1.3" } }',
      )
      await run('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd: folder })
      const args = builder === 'buildah' ? ['bud'] : ['build']
      await run(builder, [...args, '-f', join(deploy, 'Containerfile'), '-t', 'mynah-test', folder])
    } finally {
      remove()
    }
  })
})
