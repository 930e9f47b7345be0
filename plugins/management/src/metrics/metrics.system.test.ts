import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { definePlugin } from '@mynah/kernel'
import { metrics, type Metric } from '../api.js'
import { chatEntry, postbox, startManagement, until, type Api } from '../test/support.js'

const measuring = (...all: Metric[]) => ({
  plugin: definePlugin({
    name: 'measuring',
    setup(ctx) {
      for (const metric of all) ctx.contribute(metrics, metric)
    },
  }) as never,
})

const NAME = '[a-zA-Z_][a-zA-Z0-9_]*'
const LABEL = String.raw`${NAME}="(?:[^"\\\n]|\\[\\n"])*"`
const VALUE = String.raw`(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)`
const LINE = new RegExp(`^${NAME}(\\{${LABEL}(?:,${LABEL})*\\})? ${VALUE}$`)

describe('metrics', () => {
  let api: Api
  afterEach(() => api.host.stop())
  const value = (text: string, series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')
        .at(-1),
    )

  it('of process, server, stream and chat are valid', async () => {
    api = await startManagement([chatEntry, { plugin: postbox([]) as never }])
    await until(
      async () => ((await api.call('/stats')).body.data as { endpoints: { online: number } }).endpoints.online === 1,
      'the account is online',
    )
    await api.call('/message/send', {
      body: { context: 'postbox', endpoint: 'up', id: 'alice', type: 'private', content: 'hello' },
    })
    await api.call('/plugins/nobody')
    const { status, text } = await api.call('/metrics')
    expect(status).to.equal(200)
    for (const line of text
      .trimEnd()
      .split('\n')
      .filter((other) => !other.startsWith('#')))
      expect(line).to.match(LINE)
    expect(text)
      .to.contain('# TYPE process_cpu_seconds_total counter\n')
      .and.to.contain('# TYPE mynah_http_request_duration_seconds histogram\n')
    expect(value(text, 'process_resident_memory_bytes')).to.be.greaterThan(1e7)
    expect(value(text, 'mynah_plugins{state="active"}')).to.equal(6)
    expect(value(text, 'mynah_http_requests_total{method="GET",route="/api/plugins/:name",status="404"}')).to.equal(1)
    expect(value(text, 'mynah_http_request_duration_seconds_count{method="GET",route="/api/plugins/:name"}')).to.equal(
      1,
    )
    expect(
      value(text, 'mynah_http_request_duration_seconds_bucket{method="GET",route="/api/plugins/:name",le="+Inf"}'),
    ).to.equal(1)
    expect(value(text, 'mynah_messages_total{kind="sent"}')).to.equal(1)
    expect(value(text, 'mynah_endpoints{status="online"}')).to.equal(1)
    expect(value(text, 'mynah_messages_total{kind="unknown"}')).to.equal(0)
    expect(text).to.not.contain('mynah_messages_total{kind="lost"}')
    expect(value(text, 'mynah_connections_lost_total')).to.equal(0)
    expect(value(text, 'mynah_endpoint_up{adapter="postbox",endpoint="up"}')).to.equal(1)
    expect(value(text, 'mynah_ready')).to.equal((await api.call('/ready')).status === 200 ? 1 : 0)
    expect(value(text, 'mynah_stream_clients')).to.equal(0)
    expect(value(text, 'mynah_stream_events_total')).to.be.greaterThan(0)
  })

  it('pass the check of Prometheus itself', async function () {
    if (spawnSync('promtool', ['--version']).error) return this.skip()
    api = await startManagement([chatEntry, { plugin: postbox([]) as never }])
    for (const path of ['/stats', '/plugins/nobody', '/nowhere']) await api.call(path)
    const { text } = await api.call('/metrics')
    const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
  })

  it('of plugins are escaped, and a failing one is left out', async () => {
    api = await startManagement([
      measuring(
        {
          name: 'greeter_greetings_total',
          help: 'Greetings\nby whom',
          type: 'counter',
          collect: () => [{ labels: { by: 'a "b"\\\nc' }, value: 3 }],
        },
        {
          name: 'greeter_broken',
          help: 'Fails',
          type: 'gauge',
          collect: () => {
            throw new Error('no reading')
          },
        },
        { name: 'greeter-name', help: 'A bad name', type: 'gauge', collect: () => 1 },
        { name: 'greeter_greetings', help: 'A counter by no name', type: 'counter', collect: () => 1 },
        {
          name: 'greeter_lag_seconds',
          help: 'A label of summaries',
          type: 'gauge',
          collect: () => [{ labels: { quantile: '1' }, value: 1 }],
        },
      ),
    ])
    const { text } = await api.call('/metrics')
    expect(text).to.contain(
      '# HELP greeter_greetings_total Greetings\\nby whom\n# TYPE greeter_greetings_total counter\ngreeter_greetings_total{by="a \\"b\\"\\\\\\nc"} 3\n',
    )
    expect(text)
      .to.not.contain('greeter_broken')
      .and.not.contain('greeter-name')
      .and.not.contain('greeter_greetings{')
      .and.not.contain('greeter_lag')
    expect(api.log.filter(({ level, message }) => level === 'error' && message.includes('the metric'))).to.have.length(
      4,
    )
  })

  it('exclude the duration of streams', async () => {
    api = await startManagement()
    const stream = await fetch(`${api.origin}/api/events`, {
      headers: { authorization: 'Bearer full-token-of-management-tests' },
    })
    expect(value((await api.call('/metrics')).text, 'mynah_stream_clients')).to.equal(1)
    await stream.body?.cancel()
    const series = 'mynah_http_requests_total{method="GET",route="/api/events",status="200"}'
    await until(async () => value((await api.call('/metrics')).text, series) === 1, 'the stream has ended')
    expect((await api.call('/metrics')).text).to.not.contain(
      'mynah_http_request_duration_seconds_count{method="GET",route="/api/events"}',
    )
  })
})
