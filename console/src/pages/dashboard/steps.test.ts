import { expect } from 'chai'
import type { Activity, EndpointRow } from '@mynah/contract/types'
import { firstSteps, type StepSources } from './steps.js'

const endpoint = (adapter: string): EndpointRow => ({ adapter, name: adapter }) as EndpointRow
const heard = (count: number): Activity =>
  ({ endpoints: [{ adapter: 'sandbox', endpointId: 'sandbox', received: [0, count] }] }) as unknown as Activity
const ready = [{ status: 'ready', models: [{}] }]
const all = (): boolean => true
const done = (sources: Partial<StepSources>): string[] =>
  firstSteps({ has: all, endpoints: [endpoint('sandbox')], activity: undefined, providers: [], ...sources })
    .filter((step) => step.done)
    .map(({ id }) => id)

describe('the first steps', () => {
  it('are open on a host with the sandbox only', () => {
    expect(done({})).to.deep.equal([])
  })

  it('are done by a message, by an account of another platform, and by a provider with models', () => {
    expect(done({ activity: heard(0) })).to.deep.equal([])
    expect(done({ activity: heard(1) })).to.deep.equal(['hello'])
    expect(done({ endpoints: [endpoint('sandbox'), endpoint('irc')] })).to.deep.equal(['platform'])
    expect(done({ providers: [{ status: 'failed', models: [] }] })).to.deep.equal([])
    expect(done({ providers: ready })).to.deep.equal(['model'])
    expect(done({ providers: ready.map((one) => ({ ...one, inProcess: true })) }), 'to practise').to.deep.equal([])
  })

  it('are unknown until the host has said what there is', () => {
    expect(firstSteps({ has: all, endpoints: undefined, activity: undefined, providers: [] })).to.deep.equal([])
    const waiting = { endpoints: [], activity: undefined, providers: undefined }
    expect(firstSteps({ has: all, ...waiting })).to.deep.equal([])
    expect(firstSteps({ has: (address) => address !== 'models:list', ...waiting })).to.have.length(3)
  })

  it('are only those that the host can take', () => {
    const ids = (has: StepSources['has']): string[] =>
      firstSteps({ has, endpoints: [], activity: undefined, providers: [] }).map(({ id }) => id)
    expect(ids((address) => address !== 'config:set')).to.deep.equal(['hello'])
    expect(ids((address) => address !== 'sandbox:send')).to.deep.equal(['platform', 'model'])
    expect(ids(() => false)).to.deep.equal([])
  })
})
