// The page with its endpoint, users, scenes and messages.
import type { HostApi } from '@mynah/console/entry'
import { Button, Code, EmptyState, Notice, PageHead, Select, Skeleton, Switch } from '@mynah/console/ui'
import type { EndpointRow } from '@mynah/contract/types'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { Chat } from './chat.js'
import { createDraftStore } from './drafts.js'
import { NoticeDialog, RequestDialog } from './event-dialogs.js'
import { channelKey, privateChannel, type SandboxUser, type Scene } from './model.js'
import { useHasPlugin, useRoles, withRoles, type Roles } from './roles.js'
import { loadSettings, PRIVATE, saveSettings, withValidSelection, type Settings } from './settings.js'
import { Sidebar } from './sidebar.js'
import { translator } from './texts.js'
import { errorText, TranscriptStore } from './transcript-store.js'

const EXAMPLE = 'endpoints:\n  - { adapter: sandbox, id: sandbox }\n'

type LoadedEndpoints = { readonly endpoints: readonly EndpointRow[] } | { readonly error: string } | undefined

/** Reads the sandbox endpoints of the host, and reads them again after a change. */
function useEndpoints(host: HostApi): { readonly loaded: LoadedEndpoints; readonly reload: () => void } {
  const [loaded, setLoaded] = useState<LoadedEndpoints>()
  const reload = useCallback(() => {
    host.client.rpc('endpoint:list').then(
      ({ endpoints }) => setLoaded({ endpoints: endpoints.filter(({ adapter }) => adapter === 'sandbox') }),
      (error: unknown) => setLoaded({ error: errorText(error) }),
    )
  }, [host])
  useEffect(() => {
    reload()
    const disposers = [host.client.events.on('data-update', reload), host.client.events.on('reset', reload)]
    return () => {
      for (const dispose of disposers) dispose()
    }
  }, [host, reload])
  return { loaded, reload }
}

export function SandboxPage({ host }: { readonly host: HostApi }) {
  const t = translator(host)
  const { loaded, reload } = useEndpoints(host)
  const [selected, select] = useState<string>()
  const head = <PageHead title={t('sandbox')} fact={<span>{t('fact')}</span>} />
  if (!loaded)
    return (
      <>
        {head}
        <div className="panel">
          <Skeleton label={t('loading')} />
        </div>
      </>
    )
  if ('error' in loaded)
    return (
      <>
        {head}
        <Notice tone="err" title={t('endpointsFailed')} actions={<Button onClick={reload}>{t('retry')}</Button>}>
          {loaded.error}
        </Notice>
      </>
    )
  const endpoint = loaded.endpoints.find(({ name }) => name === selected) ?? loaded.endpoints[0]
  if (!endpoint) {
    return (
      <>
        {head}
        <div className="panel">
          <EmptyState title={t('noEndpoint')} action={<Code text={EXAMPLE} label={t('configuration')} />}>
            {t('noEndpointText')}
          </EmptyState>
        </div>
      </>
    )
  }
  const endpointSelect =
    loaded.endpoints.length > 1 ? (
      <Select
        compact
        label={t('endpoint')}
        value={endpoint.name}
        options={loaded.endpoints.map(({ name }) => ({ value: name, label: name }))}
        onChange={select}
      />
    ) : null
  return <EndpointView key={endpoint.name} host={host} endpoint={endpoint} endpointSelect={endpointSelect} />
}

/** Returns the selected user. One who may have a role is kept until the roles are known. */
function userOf(id: string, people: readonly SandboxUser[], roles: Roles | undefined): SandboxUser {
  const found = people.find((person) => person.id === id)
  return found ?? (roles && people[0] ? people[0] : { id, name: id })
}

function EndpointView({
  host,
  endpoint,
  endpointSelect,
}: {
  readonly host: HostApi
  readonly endpoint: EndpointRow
  readonly endpointSelect: preact.ComponentChildren
}) {
  const t = translator(host)
  const transcripts = useMemo(() => new TranscriptStore(host.client, endpoint.name), [host, endpoint.name])
  useEffect(() => transcripts.connect(), [transcripts])
  const [settings, setSettings] = useState(loadSettings)
  const roles = useRoles(host, endpoint.name)
  const hasAgent = useHasPlugin(host, 'agent')
  const people = withRoles(settings.users, roles)
  const drafts = useMemo(() => createDraftStore(host.client.base, endpoint.name), [host, endpoint.name])
  const [dialog, setDialog] = useState<'request' | 'notice'>()
  const change = (part: Partial<Settings>): void => {
    const next = withValidSelection({ ...settings, ...part }, people)
    setSettings(next)
    saveSettings(next)
  }
  const user = userOf(settings.user, people, roles)
  const scene = useMemo((): Scene => {
    const found = settings.scenes.find(({ channel }) => channelKey(channel) === settings.scene)
    return settings.scene !== PRIVATE && found
      ? found
      : { name: t('private', { name: user.name }), channel: privateChannel(user) }
  }, [settings, host.locale()])
  const key = channelKey(scene.channel)
  useEffect(() => transcripts.open(scene.channel), [transcripts, key])

  const redeliver = (): void => {
    transcripts.redeliver(scene.channel).then(
      () => host.toast(t('deliveredAgain'), 'ok'),
      (error: unknown) => host.toast(errorText(error), 'err'),
    )
  }
  const dialogProps = { host, endpointId: endpoint.name, user, scene, onClose: () => setDialog(undefined) }
  return (
    <>
      <div className="sb">
        <Sidebar
          t={t}
          head={<PageHead title={t('sandbox')} actions={endpointSelect} />}
          transcripts={transcripts}
          settings={settings}
          people={people}
          roles={roles}
          user={user}
          scene={scene}
          onChange={change}
          onRequest={() => setDialog('request')}
          onNotice={() => setDialog('notice')}
          onRedeliver={redeliver}
        />
        <Chat
          key={key}
          host={host}
          transcripts={transcripts}
          endpoint={endpoint}
          user={user}
          scene={scene}
          users={people}
          raw={settings.raw}
          hasAgent={hasAgent}
          drafts={drafts}
          headActions={<Switch label={t('raw')} on={settings.raw} onChange={(raw) => change({ raw })} />}
        />
      </div>
      {dialog === 'request' ? <RequestDialog {...dialogProps} /> : null}
      {dialog === 'notice' ? <NoticeDialog {...dialogProps} /> : null}
    </>
  )
}
