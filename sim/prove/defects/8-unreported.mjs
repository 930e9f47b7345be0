// Outcomes that are decided at a start are reported to no client and in no chat.
export default {
  about: '8: outcomes that a start decides are not reported',
  history: '8-unknown-untold',
  shows: /and no event says so|its chat heard nothing of it/,
  patches: [
    {
      file: 'plugins/inbox/dist/left-behind.js',
      from: '[eventOf(record, outcome)], { state }',
      to: 'undefined, { state }',
    },
    {
      file: 'plugins/inbox/dist/left-behind.js',
      from: 'step.change(Messages, [ended], [event], FROM[state])',
      to: 'step.change(Messages, [ended], undefined, FROM[state])',
    },
    { file: 'plugins/inbox/dist/left-behind.js', from: '            if (notice)\n', to: '            if (false)\n' },
  ],
}
