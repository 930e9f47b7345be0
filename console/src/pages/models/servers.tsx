// MCP servers: what is not connected and why, what is switched off, and tools that differ from what was accepted.
import { useState } from 'preact/hooks'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { useAction } from '../../kit/use-action.js'
import { timeLeft } from '../../kit/time-format.js'
import { joinFacts } from '../../kit/join-list.js'
import { duration } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import type { Resource } from '../../lib/use-resource.js'
import { Button, EmptyState, Facts, Icon, Menu, Table } from '../../ui/index.js'
import { Confirm, Loaded, Quote, Section, State } from '../../ui/parts/index.js'
import { heldTools, isDisconnected, serversInOrder } from './model.js'
import { t } from './texts.js'
import type { Server } from './wire.js'

/** Where a server is switched on: its `disabled` stands in the configuration. */
const SETTINGS = `/config?section=${encodeURIComponent('ai.mcpServers')}`

export function Servers({
  resource,
  now,
}: {
  readonly resource: Resource<{ servers: Server[] }>
  readonly now: number
}) {
  const [accepting, setAccepting] = useState<Server>()
  const [open, setOpen] = useState<string>()
  const act = useAction(async (method: 'mcp:restart' | 'mcp:accept', server: Server) => {
    await call(method, { name: server.name })
    toast(t(method === 'mcp:restart' ? 'restarted' : 'accepted', { name: server.name }), 'ok')
    setAccepting(undefined)
    resource.reload()
  })
  const servers = serversInOrder(resource.data?.servers ?? [])
  const off = servers.filter((server) => server.disabled).length
  const below = (server: Server) => {
    const tools = heldTools(server)
    const why = isDisconnected(server) && (server.lastError !== undefined || server.nextTryAt !== undefined)
    if (tools.length === 0 && open !== server.name && !why) return undefined
    return (
      <div class="stack tight">
        {why ? (
          <Quote
            actions={
              server.nextTryAt && server.nextTryAt > now ? (
                <span class="muted">
                  {t('again')} {timeLeft(server.nextTryAt - now)}
                </span>
              ) : undefined
            }
          >
            {server.lastError ?? t('away')}
          </Quote>
        ) : null}
        {tools.map((tool, index) => (
          <div key={tool.name} class="held-tool">
            <p class="row">
              <code>{tool.name}</code>
              <span class="muted grow">{t('differs')}</span>
              {index === 0 ? (
                <Button {...act.blocked} onClick={() => setAccepting(server)}>
                  {t('accept', { name: server.name })}
                </Button>
              ) : null}
            </p>
            <pre class="breaks" tabIndex={0}>
              {tool.description}
            </pre>
          </div>
        ))}
        {open === server.name ? (
          <Facts mono facts={server.tools.map((tool) => ({ label: tool.name, value: tool.description || '–' }))} />
        ) : null}
      </div>
    )
  }
  return (
    <Section
      title={t('servers')}
      fact={
        servers.length > 0
          ? joinFacts(
              t('serversFact', {
                connected: servers.filter((server) => server.connected).length,
                count: servers.length - off,
              }),
              off > 0 ? t('serversOff', { count: off }) : '',
            )
          : undefined
      }
    >
      <Loaded resource={resource} rows={2}>
        {() =>
          servers.length === 0 ? (
            <EmptyState title={t('emptyServers')}>{t('emptyServersText')}</EmptyState>
          ) : (
            <Table
              caption={t('servers')}
              rows={servers}
              rowKey={(server) => server.name}
              below={below}
              columns={[
                { id: 'server', head: t('server'), rowHeader: true, cell: (server) => server.name },
                {
                  id: 'over',
                  head: t('over'),
                  wide: true,
                  width: '90px',
                  cell: (server) => <span class="muted">{server.transport}</span>,
                },
                {
                  id: 'tools',
                  head: t('tools'),
                  numeric: true,
                  wide: true,
                  width: '60px',
                  cell: (server) => server.toolCount,
                },
                {
                  id: 'state',
                  head: t('state'),
                  width: '50%',
                  cell: (server) =>
                    server.connected ? (
                      <>
                        {heldTools(server).length > 0 ? (
                          <>
                            <State tone="wait">{t('held', { count: heldTools(server).length })}</State>{' '}
                          </>
                        ) : null}
                        <span class="muted">
                          {t('since', { time: duration((now - server.since) / 1000, currentLocale()) })}
                        </span>
                      </>
                    ) : server.disabled ? (
                      <span class="muted">{t('off')}</span>
                    ) : (
                      <State tone="wrong">{t('away')}</State>
                    ),
                },
                {
                  id: 'actions',
                  head: t('actions'),
                  numeric: true,
                  width: '96px',
                  cell: (server) =>
                    server.connected ? (
                      <Menu
                        label={t('actionsFor', { name: server.name })}
                        items={[
                          {
                            label: t(open === server.name ? 'hideTools' : 'showTools'),
                            onSelect: () => setOpen(open === server.name ? undefined : server.name),
                          },
                          { label: t('restart'), onSelect: () => act.run('mcp:restart', server) },
                        ]}
                      >
                        <Icon name="more" />
                      </Menu>
                    ) : isDisconnected(server) ? (
                      <Button {...act.blocked} onClick={() => act.run('mcp:restart', server)}>
                        {t('restart')}
                      </Button>
                    ) : (
                      <Button href={SETTINGS} label={t('turnOn', { name: server.name })}>
                        {t('turnOnShort')}
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {accepting ? (
        <Confirm
          title={t('acceptAsk', { name: accepting.name })}
          action={t('acceptDo')}
          busy={act.busy}
          onClose={() => setAccepting(undefined)}
          onConfirm={() => act.run('mcp:accept', accepting)}
        >
          <p>{t('acceptText')}</p>
          {heldTools(accepting).map((tool) => (
            <div key={tool.name}>
              <p>
                <code>{tool.name}</code>
              </p>
              <pre class="breaks" tabIndex={0}>
                {tool.description}
              </pre>
            </div>
          ))}
        </Confirm>
      ) : null}
    </Section>
  )
}
