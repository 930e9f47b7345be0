// Where the bot is and who is there: groups with their members, channels, friends, as far as the platform has them.
import type { ChannelItem, EndpointInfo, Friend, Group } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { navigate } from '../../lib/router.js'
import { currentLocale } from '../../lib/i18n.js'
import { listFormat } from '../../lib/intl-formats.js'
import { useResource } from '../../lib/use-resource.js'
import { EmptyState, Icon, Menu, Table } from '../../ui/index.js'
import { Confirm, Loaded, PaneList, Section } from '../../ui/parts/index.js'
import { Members } from './members.js'
import { address } from './model.js'
import { t } from './texts.js'

const list = ['friends', 'groupMembers', 'groupKick', 'groupMute', 'groupAdmin'] as const

export function People({ endpoint }: { readonly endpoint: EndpointInfo }) {
  const can = (capability: string): boolean => endpoint.capabilities.includes(capability)
  const missing = list.filter((capability) => !can(capability)).map((capability) => t(`cap.${capability}`))
  const note =
    missing.length > 0 && missing.length < list.length
      ? t('notOffered', {
          platform: endpoint.platform ?? endpoint.adapter,
          list: listFormat(currentLocale()).format(missing),
        })
      : undefined
  return (
    <>
      {can('groups') ? <Groups endpoint={endpoint} note={note} /> : null}
      {can('channels') ? <Channels endpoint={endpoint} note={can('groups') ? undefined : note} /> : null}
      {can('friends') ? <Friends endpoint={endpoint} /> : null}
    </>
  )
}

interface ListProps {
  readonly endpoint: EndpointInfo
  readonly note?: string | undefined
}

const key = (method: string, { adapter, name }: EndpointInfo): string => `${method} ${adapter} ${name}`
const off = (endpoint: EndpointInfo) =>
  endpoint.status === 'online' ? undefined : <EmptyState title={t('noGroupsOffline')} />

function Groups({ endpoint, note }: ListProps) {
  const at = { adapter: endpoint.adapter, endpointId: endpoint.name }
  const groups = useResource<{ groups: Group[]; total: number }>(
    key('endpoint:groups', endpoint),
    (signal) => host().rpc('endpoint:groups', at, { signal }),
    'endpoint:groups',
  )
  const [chosen, setChosen] = useState<string>()
  return (
    <Section
      title={t('groups')}
      fact={groups.data ? t('joined', { count: groups.data.total }) : undefined}
      actions={note ? <span class="muted">{note}</span> : undefined}
    >
      {(groups.data === undefined ? off(endpoint) : undefined) ?? (
        <Loaded resource={groups} rows={3}>
          {({ groups: all }) => {
            const current = all.find((group) => group.id === chosen) ?? all[0]
            if (!current) return <EmptyState title={t('noGroups')} />
            return (
              <div class="members">
                <PaneList
                  label={t('groups')}
                  current={current.id}
                  onOpen={setChosen}
                  rows={all.slice(0, 200).map((group) => ({
                    id: group.id,
                    label: group.name || group.id,
                    ...(group.memberCount === undefined ? {} : { end: group.memberCount }),
                  }))}
                />
                {endpoint.capabilities.includes('groupMembers') ? (
                  <Members key={current.id} endpoint={endpoint} group={current} />
                ) : (
                  <span />
                )}
              </div>
            )
          }}
        </Loaded>
      )}
    </Section>
  )
}

function Channels({ endpoint, note }: ListProps) {
  const at = { adapter: endpoint.adapter, endpointId: endpoint.name }
  const channels = useResource<{ channels: ChannelItem[]; total: number }>(
    key('endpoint:channels', endpoint),
    (signal) => host().rpc('endpoint:channels', at, { signal }),
    'endpoint:channels',
  )
  return (
    <Section
      title={t('channels')}
      fact={channels.data ? t('joined', { count: channels.data.total }) : undefined}
      actions={note ? <span class="muted">{note}</span> : undefined}
    >
      {(channels.data === undefined ? off(endpoint) : undefined) ?? (
        <Loaded resource={channels} rows={3}>
          {({ channels: all }) =>
            all.length === 0 ? (
              <EmptyState title={t('noChannels')} />
            ) : (
              <Table
                caption={t('channels')}
                rows={all.slice(0, 200)}
                rowKey={(row) => `${row.parent?.id ?? ''}/${row.id}`}
                columns={[
                  { id: 'name', head: t('channels'), rowHeader: true, cell: (row) => row.name ?? row.id },
                  {
                    id: 'parent',
                    head: t('groups'),
                    cell: (row) => <span class="muted">{row.parent?.name ?? row.parent?.id}</span>,
                  },
                ]}
              />
            )
          }
        </Loaded>
      )}
    </Section>
  )
}

function Friends({ endpoint }: ListProps) {
  const at = { adapter: endpoint.adapter, endpointId: endpoint.name }
  const friends = useResource<{ friends: Friend[]; total: number }>(
    key('endpoint:friends', endpoint),
    (signal) => host().rpc('endpoint:friends', at, { signal }),
    'endpoint:friends',
  )
  const [removing, setRemoving] = useState<Friend>()
  const remove = useAction(async (friend: Friend) => {
    await host().rpc('endpoint:deleteFriend', { ...at, userId: friend.id })
    setRemoving(undefined)
    toast(t('friendGone', { name: friend.name }), 'ok')
    friends.reload()
  })
  return (
    <Section title={t('friends')} fact={friends.data ? t('joined', { count: friends.data.total }) : undefined}>
      {(friends.data === undefined ? off(endpoint) : undefined) ?? (
        <Loaded resource={friends} rows={3}>
          {({ friends: all }) =>
            all.length === 0 ? (
              <EmptyState title={t('noFriends')} />
            ) : (
              <Table
                caption={t('friends')}
                rows={all.slice(0, 200)}
                rowKey={(row) => row.id}
                columns={[
                  { id: 'name', head: t('member'), rowHeader: true, cell: (row) => row.name },
                  { id: 'remark', head: '', cell: (row) => <span class="muted">{row.remark ?? row.id}</span> },
                  {
                    id: 'actions',
                    head: t('actions'),
                    numeric: true,
                    width: '44px',
                    cell: (row) => (
                      <Menu
                        label={t('actionsFor', { name: row.name })}
                        items={[
                          {
                            label: t('writeTo', { name: row.name }),
                            onSelect: () => navigate(`${address(endpoint)}?send=${encodeURIComponent(row.id)}`),
                          },
                          ...(endpoint.capabilities.includes('deleteFriend')
                            ? [
                                {
                                  label: t('deleteFriend', { name: row.name }),
                                  danger: true,
                                  onSelect: () => setRemoving(row),
                                },
                              ]
                            : []),
                        ]}
                      >
                        <Icon name="more" />
                      </Menu>
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      )}
      {removing ? (
        <Confirm
          danger
          title={t('friendAsk', { name: removing.name })}
          action={t('friendDo', { name: removing.name })}
          busy={remove.busy}
          onClose={() => setRemoving(undefined)}
          onConfirm={() => remove.run(removing)}
        >
          <p>{t('friendText')}</p>
        </Confirm>
      ) : null}
    </Section>
  )
}
