// Makes a task or changes one: words and the next runs follow while one types.
import type { EndpointRow } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { useAction } from '../../kit/use-action.js'
import { useNow } from '../../kit/use-now.js'
import { resources } from '../../lib/resources.js'
import { navigate } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Field, PageHead, Select } from '../../ui/index.js'
import { Loaded, Segments, TextArea } from '../../ui/parts/index.js'
import type { PageProps } from '../../lib/pages.js'
import { useOpenItem } from '../../lib/document-title.js'
import { Meaning } from './meaning.js'
import { EMPTY_FORM, fieldsOf, formOf, MISSED, nameOf, OWN, parametersOf, problemOf, type Form } from './model.js'
import './page.css'
import { t } from './texts.js'
import { usePreview } from './preview.js'
import type { CronList, Task } from './wire.js'

export function CronEditPage({ params }: PageProps) {
  const id = params['id']
  return id === undefined ? <Page task={undefined} /> : <ExistingTask id={id} />
}

function ExistingTask({ id }: { readonly id: string }) {
  const task = useResource<Task>(`cron:get ${id}`, (signal) => call('cron:get', { id }, signal), 'cron:get')
  if (task.failure?.code === 'not_found' || task.failure?.kind === 'missing')
    return (
      <Head title={t('notFound')}>
        <EmptyState title={t('notFound')} action={<Button href="/cron">{t('back')}</Button>} />
      </Head>
    )
  return task.data ? (
    <Page key={id} task={task.data} />
  ) : (
    <Head title={t('edit')}>
      <Loaded resource={task}>{() => null}</Loaded>
    </Head>
  )
}

const Head = ({ title, children }: { readonly title: string; readonly children: preact.ComponentChildren }) => (
  <>
    <PageHead title={title} actions={<Button href="/cron">{t('back')}</Button>} />
    {children}
  </>
)

function Page({ task }: { readonly task: Task | undefined }) {
  // The task as it was when one began to change it; what comes later does not take away what was typed.
  const [began] = useState(task)
  useOpenItem(began && nameOf(began))
  return (
    <>
      <PageHead
        title={began ? t('editTitle', { name: nameOf(began) }) : t('newTitle')}
        fact={<span>{t('newFact')}</span>}
        actions={<Button href="/cron">{t('back')}</Button>}
      />
      <Editor task={began} />
    </>
  )
}

const presets = {
  hourly: '0 * * * *',
  daily: '0 9 * * *',
  weekdays: '0 9 * * 1-5',
  weekly: '0 9 * * 1',
  monthly: '0 9 1 * *',
} as const
type Preset = keyof typeof presets

function Editor({ task }: { readonly task: Task | undefined }) {
  const [form, setForm] = useState<Form>(task ? formOf(task) : EMPTY_FORM)
  const [tried, setTried] = useState(false)
  const set = (change: Partial<Form>): void => setForm((former) => ({ ...former, ...change }))
  const preview = usePreview(form.cron, form.timezone)
  const now = useNow(30_000)
  const list = useResource<CronList>('cron:list', (signal) => call('cron:list', {}, signal))
  const endpoints = useResource<EndpointRow[]>(
    'endpoint:list',
    async (signal) => (await host().rpc('endpoint:list', {}, { signal })).endpoints,
  )
  const problem = problemOf(form)
  const save = useAction(async () => {
    const parameters = parametersOf(form)
    const saved = await (task
      ? call<Task>('cron:update', { id: task.id, ...parameters })
      : call<Task>('cron:add', parameters))
    toast(t(task ? 'saved' : 'made', { name: nameOf(saved) }), 'ok')
    resources.invalidate((key) => key.startsWith('cron:'))
    navigate('/cron')
  }, 'here')
  const submit = (): void => {
    setTried(true)
    if (problem === undefined) save.run()
  }
  const error = (of: typeof problem): string | undefined =>
    tried && problem === of && of ? t(`problem.${of}`) : undefined
  const own: Task = {
    id: OWN,
    cronExpression: form.cron,
    prompt: form.prompt || '–',
    enabled: true,
    notify: { channel: 'log' },
    createdAt: 0,
    timezone: 'UTC',
    nextRuns: [...(preview.runs ?? [])],
    recent: [],
    failures: 0,
    ...(form.label ? { label: form.label } : {}),
  }
  const others = (list.data?.persistent ?? []).filter((item) => item.id !== task?.id)
  const chosen = endpoints.data?.find((row) => row.adapter === form.platform && row.name === form.endpointId)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit()
  }
  return (
    <form
      class="columns-2 task-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={onKeyDown}
    >
      <div class="form-grid">
        <Field
          label={t('label')}
          hint={t('labelHint')}
          value={form.label}
          onInput={(label) => set({ label: label.slice(0, 256) })}
        />
        <div>
          <Field
            mono
            label={t('expression')}
            value={form.cron}
            onInput={(cron) => set({ cron })}
            error={preview.error ?? error('cron')}
          />
          <CronCells expression={form.cron} error={preview.error} />
          <p class="presets" role="group" aria-label={t('presets')}>
            <span class="muted">{t('startFrom')}</span>
            {(Object.keys(presets) as Preset[]).map((preset) => (
              <button key={preset} type="button" class="linkish" onClick={() => set({ cron: presets[preset] })}>
                {t(`preset.${preset}`)}
              </button>
            ))}
          </p>
        </div>
        <div class="pair">
          <Field
            label={t('timezone')}
            hint={t('timezoneHint')}
            value={form.timezone}
            onInput={(timezone) => set({ timezone })}
            placeholder={Intl.DateTimeFormat().resolvedOptions().timeZone}
          />
          <Select
            label={t('missed')}
            value={form.missed}
            onChange={(missed) => set({ missed })}
            options={MISSED.map((value) => ({ value, label: t(`missed.${value}`) }))}
          />
        </div>
        <TextArea
          label={t('prompt')}
          hint={t('promptHint')}
          rows={5}
          value={form.prompt}
          onInput={(prompt) => set({ prompt })}
          error={error('prompt')}
          onSubmit={submit}
        />
        <div class="stack tight">
          <p class="field-name" aria-hidden="true">
            {t('where')}
          </p>
          <Segments
            label={t('where')}
            value={form.channel}
            onChange={(channel) => set({ channel })}
            options={(['im', 'log', 'silent', 'ha'] as const).map((value) => ({ value, label: t(`notify.${value}`) }))}
          />
        </div>
        {form.channel === 'im' ? (
          <div class="triple">
            <Select
              label={t('endpoint')}
              value={`${form.platform}/${form.endpointId}`}
              onChange={(value) => {
                const at = value.indexOf('/')
                set({ platform: value.slice(0, at), endpointId: value.slice(at + 1) })
              }}
              options={[
                ...(chosen ? [] : [{ value: `${form.platform}/${form.endpointId}`, label: form.endpointId || '–' }]),
                ...(endpoints.data ?? []).map((row) => ({
                  value: `${row.adapter}/${row.name}`,
                  label: `${row.name} (${row.adapter})`,
                })),
              ]}
            />
            <Select
              label={t('scope')}
              value={form.scope}
              onChange={(scope) => set({ scope })}
              options={(['private', 'group', 'channel'] as const).map((value) => ({
                value,
                label: t(`scope.${value}`),
              }))}
            />
            <Field
              label={t('scene')}
              hint={t('sceneHint')}
              value={form.sceneId}
              onInput={(sceneId) => set({ sceneId })}
              error={error('target')}
            />
            {chosen && chosen.status !== 'online' ? <p class="amber">{t('offline', { name: chosen.name })}</p> : null}
          </div>
        ) : null}
        {form.channel === 'ha' ? (
          <Field
            mono
            label={t('service')}
            value={form.service}
            onInput={(service) => set({ service })}
            error={error('service')}
            placeholder="notify.notify"
          />
        ) : null}
        {save.failure ? (
          <p class="bad" role="alert">
            {save.failure}
          </p>
        ) : null}
        <div class="row">
          <Button kind="primary" type="submit" busy={save.busy} {...save.blocked}>
            {t(task ? 'save' : 'make')}
            <kbd class="on-accent" aria-hidden="true">
              Ctrl ↵
            </kbd>
          </Button>
          <Button kind="quiet" href="/cron">
            {t('cancel')}
          </Button>
        </div>
      </div>
      <Meaning
        expression={form.cron}
        preview={preview}
        timezone={form.timezone}
        own={own}
        others={others}
        memory={list.data?.memory ?? []}
        now={now}
      />
    </form>
  )
}

/** What each field of the expression is. */
function CronCells({ expression, error }: { readonly expression: string; readonly error: string | undefined }) {
  const parts = fieldsOf(expression)
  const names = [
    ...(parts.length === 6 ? ['second' as const] : []),
    'minute' as const,
    'hour' as const,
    'dayOfMonth' as const,
    'month' as const,
    'weekday' as const,
  ]
  return (
    <dl class="cron-cells">
      {names.map((name, index) => (
        <div
          key={name}
          class={error?.toLowerCase().includes(t(name).toLowerCase()) || error?.includes(name) ? 'wrong' : undefined}
        >
          <dt>{t(name)}</dt>
          <dd>
            <code>{parts[index] ?? '·'}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}
