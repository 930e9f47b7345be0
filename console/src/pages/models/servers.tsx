// MCP servers: what is not connected and why, what is switched off, and tools that differ from what was accepted.
import { useState } from 'preact/hooks'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { useAction } from '../../kit/use-action.js'
import { left } from '../../kit/when.js'
import { facts } from '../../kit/listed.js'
import { duration } from '../../lib/format.js'
import { currentLocale, t } from '../../lib/i18n.js'
import type { Resource } from '../../lib/use-resource.js'
import { Button, EmptyState, Facts, Icon, Menu, Table } from '../../ui/index.js'
import { Confirm, Loaded, Quote, Section, State } from '../../ui/parts/index.js'
import { held, isAway, serversInOrder } from './model.js'
import { p } from './texts.js'
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
    toast(p(method === 'mcp:restart' ? 'restarted' : 'accepted', { name: server.name }), 'ok')
    setAccepting(undefined)
    resource.reload()
  })
  const servers = serversInOrder(resource.data?.servers ?? [])
  const off = servers.filter((server) => server.disabled).length
  const below = (server: Server) => {
    const tools = held(server)
    const why = isAway(server) && (server.lastError !== undefined || server.nextTryAt !== undefined)
    if (tools.length === 0 && open !== server.name && !why) return undefined
    return (
      <div class="stack tight">
        {why ? (
          <Quote
            actions={
              server.nextTryAt && server.nextTryAt > now ? (
                <span class="muted">
                  {p('again')} {left(server.nextTryAt - now)}
                </span>
              ) : undefined
            }
          >
            {server.lastError ?? p('away')}
          </Quote>
        ) : null}
        {tools.map((tool, index) => (
          <div key={tool.name} class="held-tool">
            <p class="row">
              <code>{tool.name}</code>
              <span class="muted grow">{p('differs')}</span>
              {index === 0 ? (
                <Button {...act.blocked} onClick={() => setAccepting(server)}>
                  {p('accept', { name: server.name })}
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
      title={p('servers')}
      fact={
        servers.length > 0
          ? facts(
              p('serversFact', {
                connected: servers.filter((server) => server.connected).length,
                count: servers.length - off,
              }),
              off > 0 ? p('serversOff', { count: off }) : '',
            )
          : undefined
      }
    >
      <Loaded resource={resource} rows={2}>
        {() =>
          servers.length === 0 ? (
            <EmptyState title={p('emptyServers')}>{p('emptyServersText')}</EmptyState>
          ) : (
            <Table
              caption={p('servers')}
              rows={servers}
              rowKey={(server) => server.name}
              below={below}
              columns={[
                { id: 'server', head: p('server'), rowHeader: true, cell: (server) => server.name },
                {
                  id: 'over',
                  head: p('over'),
                  wide: true,
                  width: '90px',
                  cell: (server) => <span class="muted">{server.transport}</span>,
                },
                {
                  id: 'tools',
                  head: p('tools'),
                  numeric: true,
                  wide: true,
                  width: '60px',
                  cell: (server) => server.toolCount,
                },
                {
                  id: 'state',
                  head: p('state'),
                  width: '50%',
                  cell: (server) =>
                    server.connected ? (
                      <>
                        {held(server).length > 0 ? (
                          <>
                            <State tone="wait">{p('held', { count: held(server).length })}</State>{' '}
                          </>
                        ) : null}
                        <span class="muted">
                          {p('since', { time: duration((now - server.since) / 1000, currentLocale()) })}
                        </span>
                      </>
                    ) : server.disabled ? (
                      <span class="muted">{p('off')}</span>
                    ) : (
                      <State tone="wrong">{p('away')}</State>
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
                        label={p('actions', { name: server.name })}
                        items={[
                          {
                            label: p(open === server.name ? 'hideTools' : 'showTools'),
                            onSelect: () => setOpen(open === server.name ? undefined : server.name),
                          },
                          { label: p('restart'), onSelect: () => act.run('mcp:restart', server) },
                        ]}
                      >
                        <Icon name="more" />
                      </Menu>
                    ) : isAway(server) ? (
                      <Button {...act.blocked} onClick={() => act.run('mcp:restart', server)}>
                        {p('restart')}
                      </Button>
                    ) : (
                      <Button href={SETTINGS} label={p('turnOn', { name: server.name })}>
                        {p('turnOnShort')}
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
          title={p('acceptAsk', { name: accepting.name })}
          action={p('acceptDo')}
          busy={act.busy}
          onClose={() => setAccepting(undefined)}
          onConfirm={() => act.run('mcp:accept', accepting)}
        >
          <p>{p('acceptText')}</p>
          {held(accepting).map((tool) => (
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
