import { useState } from 'preact/hooks'
import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { useAction, type Action } from '../../kit/use-action.js'
import { timeLeft } from '../../kit/time-format.js'
import { joinFacts } from '../../kit/join-list.js'
import { duration } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import type { Resource } from '../../lib/use-resource.js'
import { Button, EmptyState, Facts, Icon, Menu, Table, type Column } from '../../ui/index.js'
import { Confirm, Loaded, Quote, Section, State } from '../../ui/parts/index.js'
import { heldTools, isDisconnected, serversInOrder } from './model.js'
import { t } from './texts.js'
import type { Server } from './wire.js'

/** The configuration page, where `disabled` of a server is set. */
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
              below={(server) =>
                server.name === open || hasProblem(server) ? (
                  <Details
                    server={server}
                    now={now}
                    unfolded={server.name === open}
                    blocked={act.blocked}
                    onAccept={() => setAccepting(server)}
                  />
                ) : undefined
              }
              columns={serverColumns({ now, open, act, onOpen: setOpen })}
            />
          )
        }
      </Loaded>
      {accepting ? (
        <AcceptDialog
          server={accepting}
          busy={act.busy}
          onClose={() => setAccepting(undefined)}
          onConfirm={() => act.run('mcp:accept', accepting)}
        />
      ) : null}
    </Section>
  )
}

const hasRetry = (server: Server): boolean =>
  isDisconnected(server) && (server.lastError !== undefined || server.nextTryAt !== undefined)
const hasProblem = (server: Server): boolean =>
  hasRetry(server) || heldTools(server).length > 0 || (server.leftOut ?? []).length > 0
/** Tools that cannot be used and that are named before all tools are listed. */
const FIRST_LEFT_OUT = 3

interface DetailsProps {
  readonly server: Server
  readonly now: number
  /** Whether all tools are listed. */
  readonly unfolded: boolean
  readonly blocked: ServerAction['blocked']
  readonly onAccept: () => void
}

function Details({ server, now, unfolded, blocked, onAccept }: DetailsProps) {
  const { name, tools, lastError, nextTryAt = 0 } = server
  const nextTry =
    nextTryAt > now ? (
      <span class="muted">
        {t('again')} {timeLeft(nextTryAt - now)}
      </span>
    ) : undefined
  return (
    <div class="stack tight">
      {hasRetry(server) ? <Quote actions={nextTry}>{lastError ?? t('away')}</Quote> : null}
      {heldTools(server).map((tool, index) => (
        <div key={tool.name} class="held-tool">
          <p class="row">
            <code>{tool.name}</code>
            <span class="muted grow">{t('differs')}</span>
            {index === 0 ? (
              <Button {...blocked} onClick={onAccept}>
                {t('accept', { name })}
              </Button>
            ) : null}
          </p>
          <pre class="breaks" tabIndex={0}>
            {tool.description}
          </pre>
        </div>
      ))}
      <LeftOut server={server} unfolded={unfolded} />
      {unfolded ? (
        <Facts mono facts={tools.map((tool) => ({ label: tool.name, value: tool.description || '–' }))} />
      ) : null}
    </div>
  )
}

function LeftOut({ server, unfolded }: Pick<DetailsProps, 'server' | 'unfolded'>) {
  const { leftOut = [] } = server
  if (leftOut.length === 0) return null
  const shown = leftOut.slice(0, unfolded ? leftOut.length : FIRST_LEFT_OUT)
  return (
    <>
      <p class="muted">{t('leftOut')}</p>
      <Facts mono facts={shown.map(({ name, reason }) => ({ label: name || t('nameless'), value: reason }))} />
      {leftOut.length > shown.length ? (
        <p class="muted">{t('moreLeftOut', { count: leftOut.length - shown.length })}</p>
      ) : null}
    </>
  )
}

type ServerAction = Action<[method: 'mcp:restart' | 'mcp:accept', server: Server]>

interface ColumnContext {
  readonly now: number
  /** Name of the server whose tools are listed. */
  readonly open: string | undefined
  readonly act: ServerAction
  readonly onOpen: (name: string | undefined) => void
}

function serverColumns({ now, open, act, onOpen }: ColumnContext): readonly Column<Server>[] {
  return [
    { id: 'server', head: t('server'), rowHeader: true, cell: (server) => server.name },
    {
      id: 'over',
      head: t('over'),
      wide: true,
      width: '90px',
      cell: (server) => <span class="muted">{server.transport}</span>,
    },
    { id: 'tools', head: t('tools'), numeric: true, wide: true, width: '60px', cell: (server) => server.toolCount },
    { id: 'state', head: t('state'), width: '50%', cell: (server) => <ServerState server={server} now={now} /> },
    {
      id: 'actions',
      head: t('actions'),
      numeric: true,
      width: '96px',
      cell: (server) => (
        <ServerActions
          server={server}
          act={act}
          open={open === server.name}
          onOpen={(shown) => onOpen(shown ? server.name : undefined)}
        />
      ),
    },
  ]
}

function ServerState({ server, now }: { readonly server: Server; readonly now: number }) {
  const held = heldTools(server).length
  if (!server.connected)
    return server.disabled ? <span class="muted">{t('off')}</span> : <State tone="wrong">{t('away')}</State>
  return (
    <>
      {held > 0 ? (
        <>
          <State tone="wait">{t('held', { count: held })}</State>{' '}
        </>
      ) : null}
      {server.leftOut ? (
        <>
          <State tone="plain">{t('leftOutN', { count: server.leftOut.length })}</State>{' '}
        </>
      ) : null}
      <span class="muted">{t('since', { time: duration((now - server.since) / 1000, currentLocale()) })}</span>
    </>
  )
}

interface ServerActionsProps {
  readonly server: Server
  readonly act: ServerAction
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}

function ServerActions({ server, act, open, onOpen }: ServerActionsProps) {
  const { name } = server
  const restart = (): void => act.run('mcp:restart', server)
  if (server.connected)
    return (
      <Menu
        label={t('actionsFor', { name })}
        items={[
          { label: t(open ? 'hideTools' : 'showTools'), onSelect: () => onOpen(!open) },
          { label: t('restart'), onSelect: restart },
        ]}
      >
        <Icon name="more" />
      </Menu>
    )
  if (isDisconnected(server))
    return (
      <Button {...act.blocked} onClick={restart}>
        {t('restart')}
      </Button>
    )
  return (
    <Button href={SETTINGS} label={t('turnOn', { name })}>
      {t('turnOnShort')}
    </Button>
  )
}

interface AcceptDialogProps {
  readonly server: Server
  readonly busy: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
}

function AcceptDialog({ server, busy, onClose, onConfirm }: AcceptDialogProps) {
  return (
    <Confirm
      title={t('acceptAsk', { name: server.name })}
      action={t('acceptDo')}
      busy={busy}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>{t('acceptText')}</p>
      {heldTools(server).map((tool) => (
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
  )
}
