// One session: its branch points as a rail, the conversation of the path, what waits, what it used.
import type { SessionTree } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { call } from '../../kit/call.js'
import { download } from '../../kit/export-text.js'
import { useAction, useReadAction } from '../../kit/use-action.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { compactNumber } from '../../kit/time-format.js'
import { announce } from '../../lib/announce.js'
import { formatNumber } from '../../lib/i18n.js'
import { resources } from '../../lib/resources.js'
import { useResource } from '../../lib/use-resource.js'
import { useOpenItem } from '../../lib/document-title.js'
import { Button, EmptyState, FailureNotice, PageHead } from '../../ui/index.js'
import { Confirm, Loaded, Workbench } from '../../ui/parts/index.js'
import { activePoint, turnBlocks, parseSessionKey } from './model.js'
import { Conversation } from './conversation.js'
import { Points } from './points.js'
import { t } from './texts.js'
import { TurnLine } from './turn-line.js'
import type { Entry, SessionPage, SessionRow, Sessions, Turn } from './wire.js'

interface SessionProps {
  readonly sessionKey: string
  readonly epoch: string
  readonly box: preact.ComponentChildren
  readonly onFound: (key: string) => void
  readonly onOpen: (key: string) => void
}

const LIMIT = 100
const running = (turn: Turn): boolean => ['queued', 'running', 'waiting', 'delivering'].includes(turn.state)

export function SessionView({ sessionKey, epoch, box, onFound, onOpen }: SessionProps) {
  const { has } = useCatalogue()
  const reads = has('agent:session')
  const archived = epoch !== ''
  const treeKey = `GET /agent/sessions/${sessionKey}/tree`
  const tree = useResource<SessionTree>(
    treeKey,
    (signal) => host().rest('GET /agent/sessions/:sessionKey/tree', { params: { sessionKey }, signal }),
    'GET /agent/sessions/:sessionKey/tree',
  )
  const pageKey = reads ? `agent:session ${sessionKey} ${epoch}` : `absent conversation of ${sessionKey}`
  const page = useResource<SessionPage | null>(
    pageKey,
    (signal) =>
      reads
        ? call<SessionPage>(
            'agent:session',
            { sessionKey, limit: LIMIT, ...(epoch ? { sessionId: epoch } : {}) },
            signal,
          )
        : Promise.resolve(null),
    'agent:session',
  )
  const turns = useResource<{ turns: readonly Turn[] }>(
    has('agent:turns') ? 'agent:turns' : 'absent turns',
    (signal) =>
      has('agent:turns') ? call('agent:turns', { active: true, limit: 50 }, signal) : Promise.resolve({ turns: [] }),
    'agent:turns',
  )
  const rows = useResource<Sessions>(
    'agent:sessions recent',
    (signal) => call('agent:sessions', { limit: 20 }, signal),
    'agent:sessions',
  )
  const named = useResource<Sessions>(
    `agent:sessions of ${sessionKey}`,
    (signal) => call('agent:sessions', { filter: sessionKey.slice(0, 256), limit: 50 }, signal),
    'agent:sessions',
  )
  const [older, setOlder] = useState<readonly Entry[]>([])
  const [next, setNext] = useState<number>()
  const [asking, setAsking] = useState<SessionTree['points'][number]>()
  const [switched, setSwitched] = useState<number>()
  const [stopping, setStopping] = useState<Turn>()
  useEffect(() => {
    if (tree.data) onFound(sessionKey)
  }, [tree.data === undefined])
  useEffect(() => {
    setOlder([])
    setNext(page.data?.nextBefore)
  }, [page.data?.sessionId, page.data?.activeLeafMessageId])
  const more = useReadAction(async () => {
    const before = await call<SessionPage>('agent:session', {
      sessionKey,
      limit: LIMIT,
      ...(epoch ? { sessionId: epoch } : {}),
      before: next,
    })
    setOlder([...older, ...before.entries])
    setNext(before.nextBefore)
  })
  const move = useAction(async (point: SessionTree['points'][number]) => {
    await host().rest('POST /agent/sessions/:sessionKey/leaf', {
      params: { sessionKey },
      body: { messageId: point.messageId },
    })
    setAsking(undefined)
    setSwitched(point.index)
    resources.reload(treeKey)
    resources.reload(pageKey)
    announce(t('switched', { index: point.index }))
  })
  const stop = useAction(async (turn: Turn) => {
    await call('agent:stop', { turnId: turn.id })
    setStopping(undefined)
    announce(t('stopped'))
    turns.reload()
  })
  const turn = turns.data?.turns.find((item) => item.sessionKey === sessionKey && running(item))
  useShortcuts({
    s: () => {
      if (turn) setStopping(turn)
    },
  })
  const entries = [...(page.data?.entries ?? []), ...older]
  const blocks = turnBlocks(entries)
  const row = named.data?.sessions.find(
    (item) => item.sessionKey === sessionKey && (epoch === '' || item.sessionId === epoch),
  )
  const missing = tree.failure?.kind === 'missing' && !archived
  const place = parseSessionKey(sessionKey)
  useOpenItem(row?.title || place.place)
  const head = (
    <div class="session-head">
      <PageHead
        title={t('page.sessions')}
        fact={<span>{place.endpoint ? t('on', place) : place.place}</span>}
        actions={
          <>
            <Button href="/agent/sessions">{t('back')}</Button>
            {has('agent:export') ? <ExportButton sessionKey={sessionKey} epoch={epoch} /> : null}
            <Button
              hotkey="r"
              onClick={() => {
                tree.reload()
                page.reload()
                turns.reload()
              }}
            >
              {t('refresh')}
            </Button>
          </>
        }
      />
      {box}
    </div>
  )
  if (missing || (tree.failure && !tree.data && !archived)) {
    return (
      <>
        {head}
        {missing ? (
          <EmptyState title={t('missing')} action={<Button href="/agent/sessions">{t('back')}</Button>}>
            {t('missingText')}
          </EmptyState>
        ) : tree.failure?.kind === 'not-ready' ? (
          <>
            <h2>{t('notReady')}</h2>
            <FailureNotice failure={tree.failure} onRetry={tree.reload} />
          </>
        ) : tree.failure ? (
          <FailureNotice failure={tree.failure} onRetry={tree.reload} />
        ) : null}
        {missing ? <Near sessionKey={sessionKey} rows={rows.data?.sessions ?? []} onOpen={onOpen} /> : null}
      </>
    )
  }
  const current = tree.data && !archived ? activePoint(tree.data) : undefined
  const shownAsking = asking?.index
  return (
    <>
      <Workbench
        open
        head={
          <>
            {head}
            <UsageLine row={row} blocks={blocks.length > 0 ? entries : []} />
          </>
        }
        side={
          archived ? undefined : (
            <Loaded resource={tree}>
              {(data) => <Points tree={data} current={current} entries={entries} onChoose={setAsking} />}
            </Loaded>
          )
        }
      >
        {archived ? <p class="strip-line warn">{t('archived')}</p> : null}
        {switched === undefined ? null : (
          <p class="strip-line" role="status">
            <b>{t('switched', { index: switched })}</b>
          </p>
        )}
        {turn ? <TurnLine turn={turn} onStop={() => setStopping(turn)} onAnswered={turns.reload} /> : null}
        {reads ? (
          <Loaded resource={page}>
            {() => (
              <Conversation
                blocks={blocks}
                points={tree.data?.points ?? []}
                from={shownAsking}
                more={next === undefined ? undefined : { busy: more.busy, run: () => more.run() }}
              />
            )}
          </Loaded>
        ) : null}
      </Workbench>
      {asking ? (
        <Confirm
          title={t('askTitle', { index: asking.index })}
          action={t('askDo', { index: asking.index })}
          busy={move.busy}
          disabled={move.blocked.disabled === true}
          onClose={() => setAsking(undefined)}
          onConfirm={() => move.run(asking)}
        >
          <blockquote class="point-quote">{asking.preview}</blockquote>
          <p>{t('askText', { index: asking.index, later: (tree.data?.points.length ?? 0) - asking.index })}</p>
          {turn ? <p class="amber">{t('askRunning')}</p> : null}
          <p class="muted">{t('explain')}</p>
        </Confirm>
      ) : null}
      {stopping ? (
        <Confirm
          danger
          title={t('stopAsk')}
          action={t('stopDo')}
          busy={stop.busy}
          onClose={() => setStopping(undefined)}
          onConfirm={() => stop.run(stopping)}
        >
          <p>{t('stopText')}</p>
        </Confirm>
      ) : null}
    </>
  )
}

function Near({
  sessionKey,
  rows,
  onOpen,
}: {
  readonly sessionKey: string
  readonly rows: readonly SessionRow[]
  readonly onOpen: (key: string) => void
}) {
  const words = sessionKey
    .toLowerCase()
    .split(/[|/%]+/)
    .filter((word) => word.length > 2)
  const near = rows.filter((row) => words.some((word) => row.sessionKey.toLowerCase().includes(word))).slice(0, 5)
  if (near.length === 0) return null
  return (
    <div>
      <h3>{t('near')}</h3>
      <ul>
        {near.map((row) => (
          <li key={row.sessionKey}>
            <button type="button" class="linkish" onClick={() => onOpen(row.sessionKey)}>
              <code>{row.sessionKey}</code>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function UsageLine({ row, blocks }: { readonly row: SessionRow | undefined; readonly blocks: readonly Entry[] }) {
  const last = [...blocks].sort((a, b) => b.timestamp - a.timestamp).find((entry) => entry.usage !== undefined)
  const { usage } = row ?? {}
  if (!usage && !last) return null
  const share = usage && usage.input > 0 ? Math.round((usage.cachedInput / usage.input) * 100) : 0
  return (
    <dl class="usage-line" aria-label={t('figures')}>
      {usage ? (
        <>
          <div>
            <dt>{t('in')}</dt>
            <dd>
              <b>{formatNumber(usage.input)}</b> {t('tokensWord')}, {t('cached', { share })}
            </dd>
          </div>
          <div>
            <dt>{t('out')}</dt>
            <dd>
              <b>{formatNumber(usage.output)}</b> {t('tokensWord')}
            </dd>
          </div>
        </>
      ) : null}
      {usage?.cost === undefined ? null : (
        <div>
          <dt>{t('cost')}</dt>
          <dd>
            <b>{usage.cost.toFixed(2)}</b>
          </dd>
        </div>
      )}
      {last?.usage ? (
        <div>
          <dt>{t('window')}</dt>
          <dd>
            <b>{compactNumber(last.usage.input)}</b> {t('tokensWord')}
          </dd>
        </div>
      ) : null}
      {last?.model ? (
        <div>
          <dt>{t('model')}</dt>
          <dd>
            <b>{last.model}</b>
          </dd>
        </div>
      ) : null}
    </dl>
  )
}

function ExportButton({ sessionKey, epoch }: { readonly sessionKey: string; readonly epoch: string }) {
  const run = useReadAction(async () => {
    const data = await call<unknown>('agent:export', { sessionKey, ...(epoch ? { sessionId: epoch } : {}) })
    download('session.json', 'application/json', JSON.stringify(data, null, 2))
  })
  return (
    <Button busy={run.busy} onClick={() => run.run()}>
      {t('export')}
    </Button>
  )
}
