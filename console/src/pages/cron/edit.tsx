// Makes a task or changes one: words and the next runs follow while one types.
import type { EndpointRow } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { useAction } from '../../kit/use-action.js'
import { useNow } from '../../kit/use-now.js'
import { dayOf, weekdayClock } from '../../kit/when.js'
import { ago } from '../../lib/format.js'
import { failureOf } from '../../lib/failure.js'
import { currentLocale } from '../../lib/i18n.js'
import { resources } from '../../lib/resources.js'
import { navigate } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Field, PageHead, Select } from '../../ui/index.js'
import { Loaded, Section, Segments, TextArea } from '../../ui/parts/index.js'
import type { PageProps } from '../../lib/pages.js'
import { DayStrip } from './day-strip.js'
import { day, EMPTY_FORM, fieldsOf, formOf, nameOf, parametersOf, problemOf, type Form } from './model.js'
import './page.css'
import { p } from './texts.js'
import type { CronList, Task } from './wire.js'
import { useWords } from './words.js'

export function CronEditPage({ params }: PageProps) {
  const id = params['id']
  const list = useResource<CronList>('cron:list', (signal) => call('cron:list', {}, signal))
  const task = list.data?.persistent.find((item) => item.id === id)
  return (
    <>
      <PageHead title={task ? p('editTitle', { name: nameOf(task) }) : p('newTitle')} actions={<Button href="/cron">{p('back')}</Button>} />
      <Loaded resource={list}>{(data) => (id !== undefined && !task ? <EmptyState title={p('notFound')} action={<Button href="/cron">{p('back')}</Button>} /> : <Editor key={task?.id ?? ''} task={task} list={data} />)}</Loaded>
    </>
  )
}

const presets = { daily: '0 9 * * *', weekdays: '0 9 * * 1-5', hourly: '0 * * * *', weekly: '0 9 * * 1', monthly: '0 9 1 * *' } as const
type Preset = keyof typeof presets

function Editor({ task, list }: { readonly task: Task | undefined; readonly list: CronList }) {
  const [form, setForm] = useState<Form>(task ? formOf(task) : EMPTY_FORM)
  const [tried, setTried] = useState(false)
  const set = (change: Partial<Form>): void => setForm((former) => ({ ...former, ...change }))
  const preview = usePreview(form.cron, form.timezone)
  const now = useNow(30_000)
  const endpoints = useResource<EndpointRow[]>('endpoint:list', async (signal) => (await host().rpc('endpoint:list', {}, { signal })).endpoints)
  const problem = problemOf(form)
  const save = useAction(async () => {
    const parameters = parametersOf(form)
    const saved = await (task ? call<Task>('cron:update', { id: task.id, ...parameters }) : call<Task>('cron:add', parameters))
    toast(p(task ? 'saved' : 'made', { name: nameOf(saved) }), 'ok')
    resources.invalidate((key) => key === 'cron:list')
    navigate('/cron')
  }, 'here')
  const submit = (): void => {
    setTried(true)
    if (problem === undefined) save.run()
  }
  const error = (of: typeof problem): string | undefined => (tried && problem === of && of ? p(`problem.${of}`) : undefined)
  const locale = currentLocale()
  const own: Task = { id: 'own', cronExpression: form.cron, prompt: form.prompt || '–', enabled: true, notify: { channel: 'log' }, createdAt: 0, timezone: 'UTC', nextRuns: [...preview.runs ?? []], recent: [], failures: 0, ...(form.label ? { label: form.label } : {}) }
  const coming = day([...list.persistent.filter((item) => item.id !== task?.id), own], list.memory, now)
  const chosen = endpoints.data?.find((row) => row.adapter === form.platform && row.name === form.endpointId)
  return (
    <form class="columns-2" onSubmit={(event) => { event.preventDefault(); submit() }} onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); submit() } }}>
      <div class="stack">
        <Section title={p('when')}>
          <div class="form-grid">
            <div>
              <Field mono label={p('expression')} value={form.cron} onInput={(cron) => set({ cron })} error={preview.error ?? error('cron')} />
              <CronCells expression={form.cron} error={preview.error} />
            </div>
            <Presets onChoose={(preset) => set({ cron: presets[preset] })} />
            <Field label={p('timezone')} hint={p('timezoneHint')} value={form.timezone} onInput={(timezone) => set({ timezone })} placeholder={Intl.DateTimeFormat().resolvedOptions().timeZone} />
          </div>
        </Section>
        <Section title={p('what')}>
          <div class="form-grid">
            <TextArea label={p('prompt')} hint={p('promptHint')} rows={6} value={form.prompt} onInput={(prompt) => set({ prompt })} error={error('prompt')} onSubmit={submit} />
            <Field label={p('label')} hint={p('labelHint')} value={form.label} onInput={(label) => set({ label: label.slice(0, 256) })} />
          </div>
        </Section>
        <Section title={p('where')}>
          <div class="form-grid">
            <Segments wide label={p('notify')} value={form.channel} onChange={(channel) => set({ channel })} options={(['im', 'log', 'silent', 'ha'] as const).map((value) => ({ value, label: p(`notify.${value}`) }))} />
            {form.channel === 'im'
              ? <>
                  <Select label={p('endpoint')} value={`${form.platform}/${form.endpointId}`} onChange={(value) => { const at = value.indexOf('/'); set({ platform: value.slice(0, at), endpointId: value.slice(at + 1) }) }}
                    options={[...(chosen ? [] : [{ value: `${form.platform}/${form.endpointId}`, label: form.endpointId || '–' }]), ...(endpoints.data ?? []).map((row) => ({ value: `${row.adapter}/${row.name}`, label: `${row.name} (${row.adapter})` }))]} />
                  {chosen && chosen.status !== 'online' ? <p class="amber">{p('offline', { name: chosen.name })}</p> : null}
                  <Segments label={p('scope')} value={form.scope} onChange={(scope) => set({ scope })} options={(['private', 'group', 'channel'] as const).map((value) => ({ value, label: p(`scope.${value}`) }))} />
                  <Field label={p('scene')} hint={p('sceneHint')} value={form.sceneId} onInput={(sceneId) => set({ sceneId })} error={error('target')} />
                </>
              : form.channel === 'ha' ? <Field mono label={p('service')} value={form.service} onInput={(service) => set({ service })} error={error('service')} placeholder="notify.notify" /> : null}
          </div>
        </Section>
        {save.failure ? <p class="bad" role="alert">{save.failure}</p> : null}
        <div class="row"><Button kind="primary" type="submit" busy={save.busy} {...save.blocked}>{p(task ? 'save' : 'make')}</Button><Button href="/cron">{p('cancel')}</Button></div>
      </div>
      <div class="stack">
        <Section title={p('nextFive')}>
          {preview.runs && preview.runs.length > 0 ? <ol class="next-runs">{preview.runs.slice(0, 5).map((time) => <li key={time}><span>{weekdayClock(time, locale, form.timezone || undefined)}</span><span class="muted">{dayOf(time, locale, form.timezone || undefined)}</span><span class="muted">{ago(time, now, locale)}</span></li>)}</ol> : <EmptyState title={preview.error ?? p('noPreview')} />}
        </Section>
        <Section title={p('dayWith')}><DayStrip day={coming} timeZone={form.timezone && preview.runs ? form.timezone : undefined} /></Section>
      </div>
    </form>
  )
}

function Presets({ onChoose }: { readonly onChoose: (preset: Preset) => void }) {
  return <p class="row" role="group" aria-label={p('presets')}>{(Object.keys(presets) as Preset[]).map((preset) => <Button key={preset} kind="quiet" onClick={() => onChoose(preset)}>{p(`preset.${preset}`)}</Button>)}</p>
}

/** What each field of the expression means, and the whole in words. */
function CronCells({ expression, error }: { readonly expression: string; readonly error: string | undefined }) {
  const words = useWords()
  const parts = fieldsOf(expression)
  const names = [...(parts.length === 6 ? ['second' as const] : []), 'minute' as const, 'hour' as const, 'dayOfMonth' as const, 'month' as const, 'weekday' as const]
  const said = words(expression)
  return (
    <>
      <dl class="cron-cells">{names.map((name, index) => <div key={name} class={error?.toLowerCase().includes(p(name).toLowerCase()) || error?.includes(name) ? 'wrong' : undefined}><dd><code>{parts[index] ?? '·'}</code></dd><dt>{p(name)}</dt></div>)}</dl>
      <p class="muted" role="status">{said ?? p('fields')}</p>
    </>
  )
}

/** The host's next runs of an expression, asked for when typing rests. */
function usePreview(cronExpression: string, timezone: string): { readonly runs?: readonly number[]; readonly error?: string } {
  const { has } = useCatalogue()
  const able = has('cron:preview')
  const [found, setFound] = useState<{ readonly runs?: readonly number[]; readonly error?: string }>({})
  useEffect(() => {
    if (!able || !cronExpression.trim()) return setFound({})
    const controller = new AbortController()
    const timer = setTimeout(() => {
      call<{ nextRuns: number[] }>('cron:preview', { cronExpression: fieldsOf(cronExpression).join(' '), ...(timezone.trim() ? { timezone: timezone.trim() } : {}) }, controller.signal)
        .then(({ nextRuns }) => setFound({ runs: nextRuns }), (error: unknown) => { if (!controller.signal.aborted) setFound({ error: failureOf(error).text }) })
    }, 250)
    return () => { clearTimeout(timer); controller.abort() }
  }, [able, cronExpression, timezone])
  return found
}
