// Marks that the store refuses are swallowed: the message is handled and sent anyway, and no outcome is kept.
export default {
  about: '2: marks that the store refused are forgotten',
  history: '2-said-twice',
  shows: /was handled \d+ times|was said \d+ times|is still (handling|received|sending|intent)/,
  patches: [
    {
      file: 'plugins/chat/dist/store/inbound-states.js',
      from: "            this.#pending.add((store) => store.returnToReceived(record.id));\n            return 'unwritten';",
      to: "            return 'started';",
    },
    {
      file: 'plugins/chat/dist/store/inbound-states.js',
      from: 'this.#pending.add((store) => store.finishHandling(id));',
      to: '',
    },
    {
      file: 'plugins/chat/dist/store/outbound-states.js',
      from: '            this.#pending.add((store) => store.finishSending(id, outcome, event));',
      to: '',
    },
  ],
}
