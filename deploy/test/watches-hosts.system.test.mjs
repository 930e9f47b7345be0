// Tests alert rules and dashboard: they are valid, each rule fires, and hosts have every metric that they name.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { deploy, folderFor, has, run, skipBecause, startHost, TOKEN } from './support.mjs'

/** Metrics of plugins that a host may lack: `cron` and `ai`. */
const OF_OTHERS = ['mynah_jobs', 'mynah_job_runs_total', 'mynah_models']

describe('the monitoring files', () => {
  it('define valid alert rules, each of which fires when it should', async function () {
    this.timeout(30_000)
    if (!has('promtool')) skipBecause(this, 'promtool is not installed')
    expect((await run('promtool', ['check', 'rules', 'alerts.yml'], { cwd: deploy })).stdout).to.contain(
      '8 rules found',
    )
    await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: deploy })
    const rules = Array.from(
      readFileSync(join(deploy, 'alerts.yml'), 'utf8').matchAll(/alert: (\w+)/g),
      ([, name]) => name,
    )
    const tested = readFileSync(join(deploy, 'alerts.test.yml'), 'utf8')
    for (const rule of rules) {
      expect(tested, `${rule} stays silent`).to.match(new RegExp(`eval_time: \\d+m, alertname: ${rule} }`))
      expect(tested, `${rule} fires`).to.match(new RegExp(`alertname: ${rule}\\n +exp_alerts: \\[\\{`))
    }
  })

  it('name only metrics that a host has', async function () {
    this.timeout(30_000)
    const { folder, remove } = folderFor('metrics')
    const host = await startHost(folder)
    try {
      const text = await (
        await fetch(`${host.origin}/api/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
      ).text()
      const has = new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name))
      const named = ['alerts.yml', 'grafana.json'].flatMap((file) =>
        readFileSync(join(deploy, file), 'utf8').match(/\b(?:mynah|process|nodejs)_[a-z_]+\b(?=[{\\ ),"<=])/g),
      )
      const unknown = Array.from(new Set(named)).filter(
        (name) => !has.has(name) && !has.has(name.replace(/_(?:bucket|sum|count)$/, '')) && !OF_OTHERS.includes(name),
      )
      expect(named.length).to.be.greaterThan(20)
      expect(unknown).to.deep.equal([])
    } finally {
      await host.stop()
      remove()
    }
  })

  it('define a dashboard without overlapping or empty panels', () => {
    const { panels, templating, uid } = JSON.parse(readFileSync(join(deploy, 'grafana.json'), 'utf8'))
    expect(uid).to.equal('mynah')
    expect(templating.list.map(({ name }) => name)).to.deep.equal(['datasource', 'instance'])
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length)
    for (const {
      title,
      targets,
      gridPos: { x, y, w, h },
    } of panels) {
      expect(
        targets.every(({ expr }) => expr),
        title,
      ).to.equal(true)
      expect(x + w, title).to.be.at.most(24)
      const others = panels.filter(
        ({ title: other, gridPos: o }) =>
          other !== title && o.x < x + w && x < o.x + o.w && o.y < y + h && y < o.y + o.h,
      )
      expect(
        others.map(({ title: other }) => other),
        title,
      ).to.deep.equal([])
    }
  })
})
