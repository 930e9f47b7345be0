// Counters equal rows.

const addressOf = ({ adapter, endpoint, channel_type: type, channel_id: id }) => `${adapter}/${endpoint} ${type}:${id}`

/** Counts the rows as the inbox does: for each endpoint, and for each channel. */
function counted(messages) {
  const counts = new Map()
  const add = (key, { read }) => {
    const count = counts.get(key) ?? { total: 0, unread: 0 }
    count.total++
    if (read === 0) count.unread++
    counts.set(key, count)
  }
  for (const row of messages) {
    add(addressOf({ ...row, channel_type: '', channel_id: '' }), row)
    add(addressOf(row), row)
  }
  return counts
}

export const countersEqualRows = {
  name: 'counters equal rows',
  check({ messages, counts }) {
    const real = counted(messages)
    const kept = counts.filter(({ kind }) => kind === 'messages')
    const wrong = kept
      .filter((row) => {
        const { total, unread } = real.get(addressOf(row)) ?? { total: 0, unread: 0 }
        return row.total !== total || row.unread !== unread
      })
      .map((row) => `${addressOf(row)} counts ${row.total} and ${row.unread} unread`)
    const known = new Set(kept.map(addressOf))
    return [...wrong, ...[...real.keys()].filter((key) => !known.has(key)).map((key) => `${key} is not counted`)]
  },
}
