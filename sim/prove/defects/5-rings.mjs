// A turn of a job or a task whose answer is being delivered is taken for open at a start, a failure after the first
// close closes it again, and that hangs it below itself.
export default {
  about: '5: closing a turn twice makes its session a ring',
  history: '5-ring',
  shows: /has a ring/,
  patches: [
    {
      file: 'plugins/agent/dist/turn/open-turns.js',
      from: 'if (isClosed(turn)) {',
      to: 'if (isClosed(turn) && turn.row !== null) {',
    },
    { file: 'plugins/agent/dist/turn/turn-reply.js', from: 'if (isClosed(journal))', to: 'if (false)' },
    {
      file: 'plugins/agent/dist/session/database-turns.js',
      from: 'if (isClosed(toTurn(known)))',
      to: 'if (false)',
    },
    {
      file: 'plugins/agent/dist/session/database-turns.js',
      from: 'if (!fits)',
      to: 'if (false)',
    },
  ],
}
