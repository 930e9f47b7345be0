import { expect } from 'chai'
import type { EndpointRow } from '@mynah/contract/types'
import { until } from '@mynah/kernel/testing'
import { useBench } from './bench.js'
import { eventually } from './eventually.js'
import { endpointRows, exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

describe('changes of endpoint states', function () {
  this.timeout(240_000)
  const bench = useBench()
  const count = (call: string): number => bench.host.calls.filter((item) => item === call).length

  it('are listed for all endpoints, newest first, and follow events', async () => {
    const rows = endpointRows(Date.now())
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
    const { page, context } = await bench.signedIn('/endpoints')
    const table = page.getByRole('table', { name: 'Changes of state' })
    await table.waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await eventually(async () =>
      expect(await table.getByRole('rowheader').allTextContents()).to.deep.equal([
        'alerts',
        'libera',
        'libera',
        'libera',
        'libera',
        'oftc',
        'libera',
        'support',
      ]),
    )
    await table.getByRole('row', { name: /oftc .*offline .*is there TLS/ }).waitFor()
    const asked = count('endpoint:info')
    expect(asked).to.equal(rows.length)
    // Whatever else is new, these are asked for only once one of them came or went.
    const listed = count('endpoint:list')
    bench.host.push('data-update', {})
    await until(() => count('endpoint:list') > listed)
    expect(count('endpoint:info')).to.equal(asked)
    const back = rows.map((row): EndpointRow =>
      row.name === 'oftc' ? { ...row, status: 'online', connected: true, since: Date.now() } : row,
    )
    const info = bench.host.answers['endpoint:info']
    bench.host.answers['endpoint:list'] = { data: { endpoints: back } }
    bench.host.answers['endpoint:info'] = (params) => {
      if (params['endpointId'] === 'oftc') return { data: { changes: [{ at: Date.now(), status: 'online' }] } }
      return typeof info === 'function' ? info(params) : 'silence'
    }
    bench.host.push('data-update', {})
    await table.getByRole('row', { name: /oftc .*online/ }).waitFor()
    await context.close()
  })

  it('show no heading without rows', async () => {
    bench.host.answers = { ...healthy(), ...exampleAnswers(), 'endpoint:info': { data: { changes: [] } } }
    const { page, context } = await bench.signedIn('/endpoints')
    await page.getByRole('rowheader', { name: 'libera' }).waitFor()
    await until(() => count('endpoint:info') >= 5)
    expect(await page.getByText('Changes of state').count()).to.equal(0)
    await context.close()
  })
})
