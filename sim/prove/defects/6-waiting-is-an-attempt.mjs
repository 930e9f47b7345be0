// Each start counts as an attempt of a turn, also where it only waited for a person.
export default {
  about: '6: a question survives one restart, and not two',
  history: '6-waiting-was-an-attempt',
  shows: /was given up after \d attempts/,
  patches: [
    {
      file: 'plugins/agent/dist/turn/open-turns.js',
      from: 'turn.attempts >= MAX_ATTEMPTS && !onlyWaited',
      to: 'turn.attempts >= MAX_ATTEMPTS',
    },
    { file: 'plugins/agent/dist/turn/runner.js', from: 'live.onlyWaited ? {} : {', to: '{' },
  ],
}
