// Which changes of state of messages and of the agent's journal a run has visited, as the store saw them.

const CHANGES = {
  message: [
    'in received>handling',
    'in handling>handled',
    'in received>interrupted',
    'in handling>interrupted',
    'out intent>sending',
    'out intent>failed',
    'out sending>sent',
    'out sending>failed',
    'out sending>unknown',
    'out sending>intent',
  ],
  agent_turn: [
    'queued>running',
    'running>waiting',
    'waiting>running',
    'running>delivering',
    'delivering>done',
    'delivering>failed',
    'delivering>stopped',
    'running>interrupted',
    'waiting>interrupted',
    'queued>interrupted',
  ],
  agent_task: ['queued>running', 'running>done', 'running>stopped', 'running>interrupted', 'queued>interrupted'],
  exec_approval: [
    'pending>approved',
    'pending>denied',
    'pending>expired',
    'pending>withdrawn',
    'approved>used',
    'approved>expired',
    'approved>withdrawn',
  ],
  job_run: ['queued>running', 'running>ok', 'running>failed', 'running>interrupted'],
}

/** The column of the state, where it has another name. */
const COLUMNS = { exec_approval: 'status' }

/** Makes the writing connection of a world note the changes. */
export function noteChanges({ file }) {
  // A file that had a history before has both already.
  file.writer.run('CREATE TEMP TABLE IF NOT EXISTS visited (change text PRIMARY KEY)')
  file.writer.run('DELETE FROM visited')
  for (const table of Object.keys(CHANGES)) {
    const kind = table === 'message' ? "'message ' || NEW.direction || ' '" : `'${table} '`
    const state = COLUMNS[table] ?? 'state'
    file.writer.run(
      `CREATE TEMP TRIGGER IF NOT EXISTS visited_${table} AFTER UPDATE OF ${state} ON main.${table} ` +
        `WHEN OLD.${state} <> NEW.${state} ` +
        `BEGIN INSERT OR IGNORE INTO visited VALUES (${kind} || OLD.${state} || '>' || NEW.${state}); END`,
    )
  }
}

/** Returns the changes that a world has noted. */
export const changesIn = ({ file }) => file.writer.run('SELECT change FROM visited').rows.map(({ change }) => change)

export class Coverage {
  #visited = new Set()

  add(changes) {
    for (const change of changes) this.#visited.add(change)
  }

  /** The share of all known changes, and for each table the missing ones and those beyond the list. */
  get lines() {
    const all = Object.entries(CHANGES).flatMap(([table, changes]) => changes.map((change) => `${table} ${change}`))
    const visited = all.filter((change) => this.#visited.has(change))
    return [`visited ${visited.length} of ${all.length} changes of state, ${percent(visited, all)} %`, ...this.#byTable]
  }

  get #byTable() {
    return Object.entries(CHANGES).map(([table, changes]) => {
      const missing = changes.filter((change) => !this.#visited.has(`${table} ${change}`))
      const others = [...this.#visited].filter(
        (change) => change.startsWith(`${table} `) && !changes.includes(change.slice(table.length + 1)),
      )
      const found = changes.filter((change) => !missing.includes(change))
      const rest = [
        ...(missing.length ? [`not visited: ${missing.join(', ')}`] : []),
        ...(others.length ? [`besides: ${others.map((change) => change.slice(table.length + 1)).join(', ')}`] : []),
      ]
      return `${table}: ${percent(found, changes)} % of ${changes.length}${rest.length ? `; ${rest.join('; ')}` : ''}`
    })
  }
}

const percent = (some, all) => Math.round((some.length / all.length) * 100)
