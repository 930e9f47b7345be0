// What a history has left behind: rows, and what people have seen.

/** Returns the facts on which the sentences are checked. */
export function factsOf({ file, platforms, ledger, client }) {
  return {
    updates: platforms.flatMap(({ name, updates }) => updates.map((update) => ({ platform: name, ...update }))),
    shown: platforms.flatMap(({ name, shown }) => shown.map((message) => ({ platform: name, ...message }))),
    handled: ledger.handled,
    effects: ledger.effects,
    messages: file.rows('SELECT * FROM message ORDER BY id'),
    events: file.rows('SELECT * FROM stream_event ORDER BY id'),
    received: client.received,
    resets: client.resets,
  }
}
