import type { SessionTree } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { call } from '../../kit/call.js'
import { download } from '../../kit/export-text.js'
import { useAction, useReadAction } from '../../kit/use-action.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { announce } from '../../lib/announce.js'
import { resources } from '../../lib/resources.js'
import type { Failure } from '../../lib/failure.js'
import { useOpenItem } from '../../lib/document-title.js'
import { Button, EmptyState, FailureNotice, PageHead } from '../../ui/index.js'
import { Loaded, Workbench } from '../../ui/parts/index.js'
import { activePoint, turnBlocks, type TurnBlock } from './model.js'
import { Conversation } from './conversation.js'
import { placeOf, sessionName } from './session-name.js'
import { t } from './texts.js'
import { TurnLine } from './turn-line.js'
import { useSession } from './use-session.js'
import type { SessionRow, Turn } from './wire.js'
import { lazyPart } from '../../lib/lazy-part.js'

const UsageLine = lazyPart(async () => (await import('./usage-line.js')).UsageLine)
const AtPlace = lazyPart(async () => (await import('./strips.js')).AtPlace)
const Switched = lazyPart(async () => (await import('./strips.js')).Switched)
const MoveDialog = lazyPart(async () => (await import('./move-dialog.js')).MoveDialog)
const StopDialog = lazyPart(async () => (await import('./stop-dialog.js')).StopDialog)
const Points = lazyPart(async () => (await import('./points.js')).Points)
const Near = lazyPart(async () => (await import('./near.js')).Near)
const Question = lazyPart(async () => (await import('./question.js')).Question)

type Point = SessionTree['points'][number]

interface SessionProps {
  readonly sessionKey: string
  readonly epoch: string
  /** The entry to show; default the newest. */
  readonly at: number | undefined
  readonly box: preact.ComponentChildren
  readonly onFound: (key: string) => void
  readonly onOpen: (key: string) => void
}

export function SessionView({ sessionKey, epoch, at, box, onFound, onOpen }: SessionProps) {
  const archived = epoch !== ''
  const session = useSession(sessionKey, epoch, at)
  const { tree, turns, turn, row, entries } = session
  const [asking, setAsking] = useState<Point>()
  const [switched, setSwitched] = useState<number>()
  const [stopping, setStopping] = useState<Turn>()
  useEffect(() => {
    if (tree.data) onFound(sessionKey)
  }, [tree.data === undefined])
  const move = useMove(session, sessionKey, (index) => {
    setAsking(undefined)
    setSwitched(index)
  })
  useShortcuts({
    s: () => {
      if (turn) setStopping(turn)
    },
  })
  const blocks = turnBlocks(entries)
  useOpenItem(sessionName(row ?? { sessionKey }))
  const head = (
    <div class="session-head">
      <SessionHead sessionKey={sessionKey} row={row} epoch={epoch} onReload={session.reload} />
      {box}
    </div>
  )
  const { data } = tree
  const failure = archived ? undefined : blockingFailure(tree)
  if (failure)
    return (
      <>
        {head}
        <SessionFailure failure={failure} onRetry={tree.reload} />
        {failure.kind === 'missing' ? (
          <Near sessionKey={sessionKey} rows={session.recent.data?.sessions} onOpen={onOpen} />
        ) : null}
      </>
    )
  const current = data && !archived ? activePoint(data) : undefined
  const points = (
    <Loaded resource={tree}>
      {(shown) => <Points tree={shown} current={current} entries={entries} onChoose={setAsking} />}
    </Loaded>
  )
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
        side={archived ? undefined : points}
      >
        {archived ? <p class="strip-line warn">{t('archived')}</p> : null}
        <Switched index={switched} />
        <AtPlace sessionKey={sessionKey} epoch={epoch} at={at} />
        {turn && !archived ? <TurnLine turn={turn} onStop={() => setStopping(turn)} /> : null}
        <Entries session={session} blocks={blocks} data={data} asking={asking} at={at} archived={archived} />
      </Workbench>
      {asking ? (
        <MoveDialog
          point={asking}
          tree={data}
          running={turn !== undefined}
          move={move}
          onClose={() => setAsking(undefined)}
        />
      ) : null}
      {stopping ? <StopDialog turn={stopping} onClose={() => setStopping(undefined)} onStopped={turns.reload} /> : null}
    </>
  )
}

/** Returns the failure that replaces the page. Data that was loaded before stays, unless the session is gone. */
function blockingFailure({ failure, data }: ReturnType<typeof useSession>['tree']): Failure | undefined {
  return failure && (!data || failure.kind === 'missing') ? failure : undefined
}

/** Moves the conversation to a point. */
function useMove(session: ReturnType<typeof useSession>, sessionKey: string, onMoved: (index: number) => void) {
  return useAction(async (point: Point) => {
    await host().rest('POST /agent/sessions/:sessionKey/leaf', {
      params: { sessionKey },
      body: { messageId: point.messageId },
    })
    onMoved(point.index)
    resources.reload(session.treeKey)
    resources.reload(session.pageKey)
    announce(t('switched', { index: point.index }))
  })
}

interface EntriesProps {
  readonly session: ReturnType<typeof useSession>
  readonly blocks: TurnBlock[]
  readonly data: SessionTree | undefined
  readonly asking: Point | undefined
  readonly at: number | undefined
  readonly archived: boolean
}

function Entries({ session, blocks, data, asking, at, archived }: EntriesProps) {
  const { turn, turns, reads, page, more } = session
  const open = archived || at !== undefined ? undefined : turn
  const question = open ? <Question turn={open} onAnswered={turns.reload} /> : null
  if (!reads) return question
  return (
    <Loaded resource={page}>
      {() => (
        <Conversation
          blocks={blocks}
          points={data?.points ?? []}
          from={asking?.index}
          more={more}
          at={at}
          turn={open}
          question={question}
        />
      )}
    </Loaded>
  )
}

interface SessionHeadProps {
  readonly sessionKey: string
  readonly row: SessionRow | undefined
  readonly epoch: string
  readonly onReload: () => void
}

function SessionHead({ sessionKey, row, epoch, onReload }: SessionHeadProps) {
  const { has } = useCatalogue()
  return (
    <PageHead
      title={t('page.sessions')}
      fact={
        <span>
          {row?.subject && row.subject !== row.title ? <b>{row.subject} </b> : null}
          {placeOf(row ?? { sessionKey })}
        </span>
      }
      actions={
        <>
          <Button href="/agent/sessions">{t('back')}</Button>
          {has('agent:export') ? <ExportButton sessionKey={sessionKey} epoch={epoch} /> : null}
          <Button hotkey="r" onClick={onReload}>
            {t('refresh')}
          </Button>
        </>
      }
    />
  )
}

function SessionFailure({ failure, onRetry }: { readonly failure: Failure; readonly onRetry: () => void }) {
  if (failure.kind === 'missing')
    return (
      <EmptyState title={t('missing')} action={<Button href="/agent/sessions">{t('back')}</Button>}>
        {t('missingText')}
      </EmptyState>
    )
  return (
    <>
      {failure.kind === 'not-ready' ? <h2>{t('notReady')}</h2> : null}
      <FailureNotice failure={failure} onRetry={onRetry} />
    </>
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
