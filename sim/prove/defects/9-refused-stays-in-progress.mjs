// A write that is refused while another process holds the file is not reset, and no later COMMIT succeeds.
export default {
  about: '9: a refused statement stays in progress',
  history: '9-refused-stays-in-progress',
  shows: /nothing waits for ever/,
  patches: [
    {
      file: 'plugins/database/dist/engine/prepared-statements.js',
      from: 'if (kept.isReady)\n                await reset(kept.statement);',
      to: '',
    },
  ],
}
