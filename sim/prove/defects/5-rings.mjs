// A turn whose answer is being delivered is interrupted at a start, and closing it again hangs it below itself.
export default {
  about: '5: closing a turn twice makes its session a ring',
  shows: /has a ring/,
  patches: [
    {
      file: 'plugins/agent/dist/turn/open-turns.js',
      from: 'if (isClosed(turn)) {',
      to: 'if (isClosed(turn) && turn.askKey === null) {',
    },
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
