// A draft is stored as an intent without content, and the recovery takes it as one.
export default {
  about: '4: a kill after the model has answered loses the answer',
  history: '4-answer-lost',
  shows: /no chat shows|reads sent and is empty|has shown nothing/,
  patches: [
    {
      file: 'plugins/inbox/dist/store.js',
      from: "return this.#add(message, 'draft', undefined);",
      to: "return this.#add(message, 'intent', undefined);",
    },
    {
      file: 'plugins/inbox/dist/open-rows.js',
      from: "draft: { state: 'draft' },",
      to: "draft: inState('draft', 'intent'),",
    },
    {
      file: 'plugins/inbox/dist/open-rows.js',
      from: "shown: inState('draft', 'sending'),",
      to: "shown: inState('draft', 'intent', 'sending'),",
    },
  ],
}
