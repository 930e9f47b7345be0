// The members of a group, and what may be done to them on this platform.
import type { EndpointInfo, Group, Member } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { dateTime } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { navigate } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { EmptyState, Icon, Menu, Select, Table, type MenuItem } from '../../ui/index.js'
import { Confirm, Loaded } from '../../ui/parts/index.js'
import { address } from './model.js'
import { t } from './texts.js'

type Asking = { readonly kind: 'kick' | 'mute'; readonly member: Member }

const durations = ['600', '3600', '86400', '604800'] as const
const labels = { 600: 'm10', 3600: 'h1', 86400: 'd1', 604800: 'w1' } as const

export function Members({ endpoint, group }: { readonly endpoint: EndpointInfo; readonly group: Group }) {
  const at = { adapter: endpoint.adapter, endpointId: endpoint.name, groupId: group.id }
  const place = group.name || group.id
  const members = useResource<{ members: Member[]; total: number }>(
    `endpoint:groupMembers ${endpoint.adapter} ${endpoint.name} ${group.id}`,
    (signal) => host().rpc('endpoint:groupMembers', at, { signal }),
    'endpoint:groupMembers',
  )
  const [asking, setAsking] = useState<Asking>()
  const [duration, setDuration] = useState<(typeof durations)[number]>('600')
  const act = useAction(async (work: () => Promise<unknown>, said: string) => {
    await work()
    setAsking(undefined)
    toast(said, 'ok')
    members.reload()
  })
  const can = (capability: string): boolean => endpoint.capabilities.includes(capability)
  const items = (member: Member): MenuItem[] => {
    const { id: userId, name } = member
    const admin = member.role === 'admin'
    const muted = (member.mutedUntil ?? 0) > Date.now()
    return [
      {
        label: t('writeTo', { name }),
        onSelect: () => navigate(`${address(endpoint)}?send=${encodeURIComponent(userId)}`),
      },
      ...(can('groupAdmin') && member.role !== 'owner'
        ? [
            {
              label: t(admin ? 'takeAdmin' : 'makeAdmin', { name }),
              onSelect: () =>
                act.run(
                  () => host().rpc('endpoint:groupAdmin', { ...at, userId, enable: !admin }),
                  t(admin ? 'adminTaken' : 'adminMade', { name }),
                ),
            },
          ]
        : []),
      ...(can('groupMute')
        ? [
            muted
              ? {
                  label: t('unmute', { name }),
                  onSelect: () =>
                    act.run(
                      () => host().rpc('endpoint:groupMute', { ...at, userId, duration: 0 }),
                      t('unmuted', { name }),
                    ),
                }
              : { label: t('mute', { name }), onSelect: () => setAsking({ kind: 'mute', member }) },
          ]
        : []),
      ...(can('groupKick')
        ? [{ label: t('kick', { name, place }), danger: true, onSelect: () => setAsking({ kind: 'kick', member }) }]
        : []),
    ]
  }
  const name = asking?.member.name ?? ''
  const userId = asking?.member.id ?? ''
  return (
    <div class="scroll">
      <Loaded resource={members} rows={3}>
        {({ members: all }) =>
          all.length === 0 ? (
            <EmptyState title={t('noMembers')} />
          ) : (
            <Table
              caption={place}
              rows={all.slice(0, 200)}
              rowKey={(row) => row.id}
              columns={[
                {
                  id: 'name',
                  head: t('member'),
                  rowHeader: true,
                  cell: (row) => (
                    <>
                      {row.card ?? row.name}
                      {row.card && row.card !== row.name ? <span class="muted"> {row.name}</span> : null}
                    </>
                  ),
                },
                {
                  id: 'role',
                  head: t('role'),
                  cell: (row) => (
                    <span class="muted">
                      {[
                        t(`role.${row.role}`),
                        row.title,
                        row.id === endpoint.selfId ? t('self') : '',
                        (row.mutedUntil ?? 0) > Date.now()
                          ? t('mutedUntil', { time: dateTime(row.mutedUntil ?? 0, currentLocale()) })
                          : '',
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  ),
                },
                {
                  id: 'actions',
                  head: t('actions'),
                  numeric: true,
                  width: '44px',
                  cell: (row) =>
                    row.id === endpoint.selfId ? null : (
                      <Menu label={t('actionsFor', { name: row.name })} items={items(row)}>
                        <Icon name="more" />
                      </Menu>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {asking?.kind === 'kick' ? (
        <Confirm
          danger
          title={t('kickAsk', { name, place })}
          action={t('kickDo', { name })}
          busy={act.busy}
          onClose={() => setAsking(undefined)}
          onConfirm={() =>
            act.run(() => host().rpc('endpoint:groupKick', { ...at, userId }), t('kicked', { name, place }))
          }
        >
          <p>{t('kickText', { name, place })}</p>
        </Confirm>
      ) : null}
      {asking?.kind === 'mute' ? (
        <Confirm
          title={t('muteAsk', { name, place })}
          action={t('muteDo', { name })}
          busy={act.busy}
          onClose={() => setAsking(undefined)}
          onConfirm={() =>
            act.run(
              () => host().rpc('endpoint:groupMute', { ...at, userId, duration: Number(duration) }),
              t('muted', { name }),
            )
          }
        >
          <Select
            label={t('muteFor')}
            value={duration}
            onChange={setDuration}
            options={durations.map((value) => ({ value, label: t(labels[value]) }))}
          />
        </Confirm>
      ) : null}
    </div>
  )
}
