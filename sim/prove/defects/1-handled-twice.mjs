// Messages that wait are read, and what began and ended meanwhile begins again; the mark `handling` has no condition.
export default {
  about: '1: a message is handled twice without a fault',
  history: 'slow-read-of-waiting',
  shows: /was handled \d+ times|was said \d+ times/,
  patches: [
    { file: 'plugins/chat/dist/inbound/intake.js', from: 'this.#startedDuringRead?.add(row);', to: '' },
    {
      file: 'plugins/inbox/dist/store.js',
      from: "return this.#begin({ id, state: 'handling' }, FROM.received);",
      to: "return this.#begin({ id, state: 'handling' }, undefined);",
    },
  ],
}
