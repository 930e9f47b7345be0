import type { EndpointInfo, Group, Member } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction, type Action } from '../../kit/use-action.js'
import { dateTime } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { navigate } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { EmptyState, Icon, Menu, Select, Table, type Column, type MenuItem } from '../../ui/index.js'
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
  const act = useAction(async (work: () => Promise<unknown>, done: string) => {
    await work()
    setAsking(undefined)
    toast(done, 'ok')
    members.reload()
  })
  const can = (capability: string): boolean => endpoint.capabilities.includes(capability)
  const items = memberActions({ endpoint, can, act, at, onAsk: setAsking, place })
  const cancel = (): void => setAsking(undefined)
  const { member } = asking ?? {}
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
              columns={memberColumns(endpoint.selfId, items)}
            />
          )
        }
      </Loaded>
      {member && asking?.kind === 'kick' ? (
        <Confirm
          danger
          title={t('kickAsk', { name: member.name, place })}
          action={t('kickDo', { name: member.name })}
          busy={act.busy}
          onClose={cancel}
          onConfirm={() =>
            act.run(
              () => host().rpc('endpoint:groupKick', { ...at, userId: member.id }),
              t('kicked', { name: member.name, place }),
            )
          }
        >
          <p>{t('kickText', { name: member.name, place })}</p>
        </Confirm>
      ) : null}
      {member && asking?.kind === 'mute' ? (
        <MuteDialog
          name={member.name}
          place={place}
          busy={act.busy}
          onClose={cancel}
          onMute={(duration) =>
            act.run(
              () => host().rpc('endpoint:groupMute', { ...at, userId: member.id, duration }),
              t('muted', { name: member.name }),
            )
          }
        />
      ) : null}
    </div>
  )
}

interface MemberActionsInput {
  readonly endpoint: EndpointInfo
  readonly can: (capability: string) => boolean
  readonly act: Action<[work: () => Promise<unknown>, done: string]>
  readonly at: { adapter: string; endpointId: string; groupId: string }
  readonly onAsk: (asking: Asking) => void
  readonly place: string
}

function memberActions({ endpoint, can, act, at, onAsk, place }: MemberActionsInput): (member: Member) => MenuItem[] {
  return (member: Member): MenuItem[] => {
    const { id: userId, name } = member
    const admin = member.role === 'admin'
    const muted = isMuted(member)
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
              : { label: t('mute', { name }), onSelect: () => onAsk({ kind: 'mute', member }) },
          ]
        : []),
      ...(can('groupKick')
        ? [{ label: t('kick', { name, place }), danger: true, onSelect: () => onAsk({ kind: 'kick', member }) }]
        : []),
    ]
  }
}

const isMuted = ({ mutedUntil = 0 }: Member): boolean => mutedUntil > Date.now()

function memberColumns(selfId: string | undefined, items: (member: Member) => MenuItem[]): readonly Column<Member>[] {
  const remarks = (row: Member): string[] => [
    t(`role.${row.role}`),
    row.title ?? '',
    row.id === selfId ? t('self') : '',
    isMuted(row) ? t('mutedUntil', { time: dateTime(row.mutedUntil ?? 0, currentLocale()) }) : '',
  ]
  return [
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
      cell: (row) => <span class="muted">{remarks(row).filter(Boolean).join(' · ')}</span>,
    },
    {
      id: 'actions',
      head: t('actions'),
      numeric: true,
      width: '44px',
      cell: (row) =>
        row.id === selfId ? null : (
          <Menu label={t('actionsFor', { name: row.name })} items={items(row)}>
            <Icon name="more" />
          </Menu>
        ),
    },
  ]
}

interface MuteDialogProps {
  readonly name: string
  readonly place: string
  readonly busy: boolean
  readonly onClose: () => void
  readonly onMute: (seconds: number) => void
}

function MuteDialog({ name, place, busy, onClose, onMute }: MuteDialogProps) {
  const [duration, setDuration] = useState<(typeof durations)[number]>('600')
  return (
    <Confirm
      title={t('muteAsk', { name, place })}
      action={t('muteDo', { name })}
      busy={busy}
      onClose={onClose}
      onConfirm={() => onMute(Number(duration))}
    >
      <Select
        label={t('muteFor')}
        value={duration}
        onChange={setDuration}
        options={durations.map((value) => ({ value, label: t(labels[value]) }))}
      />
    </Confirm>
  )
}
