import { expect } from 'chai'
import { readFile, writeFile } from 'node:fs/promises'
import { createClient } from '@mynah/sdk'
import { FULL, WholeHost } from './whole-host.js'

describe('edit of the configuration file outside of the console', function () {
  this.timeout(120_000)
  let host: WholeHost
  before(async () => {
    host = await WholeHost.start('logs: { maxRecords: 5000 }\n')
  })
  after(() => host.close())

  it('is published once without secrets when the host reads the file again', async () => {
    const client = createClient({ base: host.origin, token: FULL })
    const told: { pluginName: string; config: unknown }[] = []
    const ended = new Promise<void>((resolve) => {
      client.events.on('config:updated', (data) => {
        told.push(data)
        if (data.pluginName === 'marketplace') resolve()
      })
    })
    try {
      await new Promise<void>((resolve) => {
        client.events.on('init-data', () => resolve())
        client.events.start()
      })
      const text = await readFile(host.file, 'utf8')
      await writeFile(
        host.file,
        text.replace('maxRecords: 5000', 'maxRecords: 6000').replace('likes tea', 'likes coffee'),
      )
      expect((await host.loaded.configuration.apply()).accepted).to.equal(true)
      expect((await host.rpc('config:set', { pluginName: 'logs', data: { maxRecords: 7000 } })).json).to.include({
        success: true,
      })
      expect((await host.loaded.configuration.apply()).accepted).to.equal(true)
      // The last one to come: whatever was said before it has come too.
      expect(
        (await host.rpc('config:set', { pluginName: 'marketplace', data: { registry: `${host.registry}/` } })).json,
      ).to.include({ success: true })
      await ended
    } finally {
      client.close()
    }
    expect(told.map(({ pluginName }) => pluginName).sort()).to.deep.equal(['assistant', 'logs', 'logs', 'marketplace'])
    expect(told.filter(({ pluginName }) => pluginName === 'logs').map(({ config }) => config)).to.deep.equal([
      { maxRecords: 6000 },
      { maxRecords: 7000 },
    ])
    expect(JSON.stringify(told)).to.contain('likes coffee').and.not.contain('canary')
  })
})
