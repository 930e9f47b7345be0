// Facts about a history that has ended: rows, and what people have seen.

/** Returns the facts on which the sentences are checked. */
export function factsOf({ file, platforms, ledger, client, plan, boundaries, crashes }) {
  const acknowledges = new Map(platforms.map(({ name, acknowledges: when }) => [name, when]))
  return {
    updates: platforms.flatMap(({ name, updates }) => updates.map((update) => ({ platform: name, ...update }))),
    shown: platforms.flatMap(({ name, shown }) => shown.map((message) => ({ platform: name, ...message }))),
    /** Whether a message may be handled without a row, and is lost with its host. */
    mayBeUnsaved: ({ platform }) => acknowledges.get(platform) === 'never',
    /** Whether a row may be in the store though the host got an error. */
    mayBeSaved: boundaries.used.some(([call, kind]) => kind === 'taken' && /^(write|commit)/.test(call)),
    /** Whether the store failed or was late, so that the host may have died before it could write what it knew. */
    storeFailed:
      plan.steps.some(({ do: what }) => what === 'away' || what === 'held') ||
      boundaries.used.some(([call]) => /^(statement|write|commit)/.test(call)),
    after: (plan.after ?? []).map(({ platform, from, id }) => ({ platform: plan.platforms[platform].name, from, id })),
    attempts: platforms.flatMap(({ name, attempts }) => attempts.map((one) => ({ platform: name, ...one }))),
    crashes,
    mayBeOld: mayBeOld(plan),
    turnAttempts: ledger.attempts,
    mayFail: mayFail(plan, boundaries.used),
    handled: ledger.handled,
    effects: ledger.effects,
    messages: file.rows('SELECT * FROM message ORDER BY id'),
    counts: file.rows('SELECT * FROM inbox_count'),
    turns: file.rows('SELECT * FROM agent_turn ORDER BY id'),
    entries: file.rows('SELECT session, n, parent FROM agent_entry ORDER BY session, n'),
    results: file.rows("SELECT content FROM agent_entry WHERE role = 'tool'").map(({ content }) => content),
    tasks: file.rows('SELECT * FROM agent_task ORDER BY id'),
    /** Whether a platform was offline or did not make an edit. */
    editsFailed:
      plan.steps.some(({ do: what }) => what === 'offline') ||
      boundaries.used.some(([call, kind]) => call.startsWith('edit') || kind === 'offline'),
    approvals: file.rows('SELECT * FROM exec_approval ORDER BY id'),
    clockLeaps: plan.steps.some(({ do: what }) => what === 'leap'),
    runs: file.rows('SELECT * FROM job_run ORDER BY id'),
    events: file.rows('SELECT id, type, data FROM stream_event ORDER BY id'),
    received: client.received,
    resets: client.resets,
  }
}

/** Messages that wait are given up after five minutes. */
const GIVEN_UP_MS = 4 * 60_000

/** Whether messages may be too old for a notice at a start. */
const mayBeOld = ({ steps, restartAfter }) =>
  restartAfter > GIVEN_UP_MS || steps.some(({ do: what }) => what === 'leap')

/** Whether messages may fail for good: a platform refused some, or host or platform were offline for long. */
const mayFail = ({ steps, restartAfter }, faults) =>
  restartAfter > GIVEN_UP_MS ||
  steps.some(({ do: what, ms }) => what === 'leap' || (what === 'offline' && ms > GIVEN_UP_MS)) ||
  faults.some(([call, kind]) => kind === 'refuse' && /^(send|edit)/.test(call))
