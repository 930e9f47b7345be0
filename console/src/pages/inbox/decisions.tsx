import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useWriteBlock } from '../../app/event-stream.js'
import { toast } from '../../app/toasts.js'
import { announce } from '../../lib/announce.js'
import { failureOf } from '../../lib/failure.js'
import { resources } from '../../lib/resources.js'
import { Field } from '../../ui/index.js'
import { Confirm } from '../../ui/parts/index.js'
import type { Request } from './model.js'
import { INBOX, type Inbox } from './use-inbox.js'
import { t } from './texts.js'

export const UNDO_MS = 5000

export interface Decision {
  readonly row: Request
  readonly approve: boolean
  readonly reason: string
  readonly at: number
}

export interface Decisions {
  readonly pending: readonly Decision[]
  readonly decide: (row: Request, approve: boolean, reason?: string) => void
  /** Asks for a reason before a rejection. */
  readonly ask: (row: Request) => void
  readonly undo: (row: Request) => void
  readonly undoLast: () => void
  readonly block: string | undefined
  readonly dialog: ComponentChildren
}

export function useDecisions(inbox: Inbox): Decisions {
  const [pending, setPending] = useState<readonly Decision[]>([])
  const [asking, setAsking] = useState<Request>()
  const [reason, setReason] = useState('')
  const timers = useRef(
    new Map<string, { readonly timer: ReturnType<typeof setTimeout>; readonly decision: Decision }>(),
  )
  const block = useWriteBlock()
  const latest = useRef(inbox)
  latest.current = inbox

  const drop = (id: string): void => {
    clearTimeout(timers.current.get(id)?.timer)
    timers.current.delete(id)
    setPending((former) => former.filter((item) => item.row.id !== id))
  }
  const send = async ({ row, approve, reason: why }: Decision): Promise<void> => {
    timers.current.delete(row.id)
    const at = { adapter: row.adapter, endpointId: row.endpoint, requestId: row.requestId }
    try {
      await (approve
        ? host().rpc('endpoint:requestApprove', at)
        : host().rpc('endpoint:requestReject', { ...at, ...(why ? { reason: why } : {}) }))
      latest.current.add('requests', [{ ...row, status: approve ? 'approved' : 'rejected', canAct: false, read: true }])
      // The page may have been left and opened again meanwhile, and then has read the request as it was before.
      resources.reload(INBOX)
    } catch (error) {
      toast(failureOf(error).text, 'err')
    } finally {
      drop(row.id)
    }
  }
  const decide = (row: Request, approve: boolean, why = ''): void => {
    if (block !== undefined || timers.current.has(row.id)) return
    const decision = { row, approve, reason: why, at: Date.now() }
    timers.current.set(row.id, { decision, timer: setTimeout(() => void send(decision), UNDO_MS) })
    setPending((former) => [...former, decision])
    announce(t(approve ? 'approved' : 'rejected', { name: row.sender.name ?? row.sender.id }))
  }
  // Leaving the page sends pending answers, so that none is lost.
  useEffect(
    () => () => {
      for (const { timer, decision } of timers.current.values()) {
        clearTimeout(timer)
        void send(decision)
      }
    },
    [],
  )
  const undo = (row: Request): void => drop(row.id)
  const close = (): void => {
    setAsking(undefined)
    setReason('')
  }
  const dialog = asking ? (
    <Confirm
      danger
      title={t('rejectAsk', { name: asking.sender.name ?? asking.sender.id })}
      action={t('rejectDo')}
      onClose={close}
      onConfirm={() => {
        decide(asking, false, reason.trim())
        close()
      }}
    >
      <Field label={t('reason')} hint={t('reasonHint')} value={reason} onInput={setReason} />
    </Confirm>
  ) : null
  return {
    pending,
    decide,
    ask: (row) => {
      if (block === undefined) setAsking(row)
    },
    undo,
    undoLast: () => {
      const last = pending.at(-1)
      if (last) undo(last.row)
    },
    block,
    dialog,
  }
}
