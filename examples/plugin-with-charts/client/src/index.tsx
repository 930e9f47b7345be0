// The page: what the host's process uses, drawn by recharts, with a choice by react-select.
import type { HostApi, Register } from '@mynah/console/entry'
import { Notice, PageHead } from '@mynah/console/ui'
import { useEffect, useState } from 'react'
import Select from 'react-select'
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import './page.css'

const texts = {
  title: { en: 'Memory chart', 'zh-CN': '内存图表' },
  figure: { en: 'Figure', 'zh-CN': '指标' },
  rss: { en: 'Resident set', 'zh-CN': '常驻内存' },
  heapUsed: { en: 'Heap in use', 'zh-CN': '已用堆' },
  failed: { en: 'The host did not say', 'zh-CN': '主机没有给出数据' },
} as const

const figures = ['rss', 'heapUsed'] as const
type Figure = (typeof figures)[number]
type Sample = Readonly<Record<Figure, number>> & { readonly time: string }

const EVERY_MS = 2_000
const KEPT = 60
const MB = 1_048_576

/** Returns the last samples. Takes one at once, and more while the page is visible. */
function useSamples(host: HostApi): { readonly samples: readonly Sample[]; readonly error: string | undefined } {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const [error, setError] = useState<string>()
  useEffect(() => {
    const take = (): void => {
      if (document.visibilityState !== 'visible') return
      host.client.rest('GET /system/status').then(
        ({ memory, timestamp }) => {
          setError(undefined)
          const time = new Date(timestamp).toLocaleTimeString(host.locale())
          setSamples((known) =>
            [...known, { time, rss: Math.round(memory.rss / MB), heapUsed: Math.round(memory.heapUsed / MB) }].slice(
              -KEPT,
            ),
          )
        },
        (failure: unknown) => setError(failure instanceof Error ? failure.message : String(failure)),
      )
    }
    take()
    const timer = setInterval(take, EVERY_MS)
    return () => clearInterval(timer)
  }, [host])
  return { samples, error }
}

function Page({ host }: { readonly host: HostApi }) {
  const { samples, error } = useSamples(host)
  const [figure, setFigure] = useState<Figure>('rss')
  const options = figures.map((value) => ({ value, label: host.t(texts[value]) }))
  return (
    <>
      <PageHead title={host.t(texts.title)} />
      {error === undefined ? null : (
        <Notice tone="err" title={host.t(texts.failed)}>
          {error}
        </Notice>
      )}
      <div className="memory-chart">
        <Select
          aria-label={host.t(texts.figure)}
          classNamePrefix="memory-chart"
          options={options}
          value={options.find(({ value }) => value === figure) ?? null}
          onChange={(option) => {
            if (option) setFigure(option.value)
          }}
        />
        <ResponsiveContainer width="100%" height={320}>
          <AreaChart data={[...samples]}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="time" stroke="var(--ink2)" />
            <YAxis unit=" MB" width={80} stroke="var(--ink2)" />
            <Tooltip />
            <Area
              dataKey={figure}
              name={host.t(texts[figure])}
              stroke="var(--accent)"
              fill="var(--accent-soft)"
              isAnimationActive={false}
            />
          </AreaChart>
        </ResponsiveContainer>
      </div>
    </>
  )
}

export const register: Register = (host) => {
  host.addRoute({ path: '/memory-chart', element: () => <Page host={host} /> })
}
