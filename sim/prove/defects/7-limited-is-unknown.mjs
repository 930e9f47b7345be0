// A message that the platform refused for its rate stays `sending` while it waits, and waits for a minute at most.
export default {
  about: '7: a rate limit that is waited out is unknown after a stop',
  history: '7-limited-too-early',
  shows: /is unknown, and the platform had refused it|was tried again at/,
  patches: [
    {
      file: 'plugins/chat/dist/outbound/transmitter.js',
      from: 'const until = now + pause;',
      to: 'const until = now + Math.min(pause, 60_000);',
    },
    {
      file: 'plugins/chat/dist/outbound/transmitter.js',
      from: '        if (stored)\n            await this.#context.states.requeue(record, until);\n        return undefined;',
      to: '        job.wasLimited = true;\n        return undefined;',
    },
    {
      file: 'plugins/chat/dist/outbound/transmitter.js',
      from: 'if (stored) {\n            const starting = this.#startSending(job);',
      to: 'if (stored && !job.wasLimited) {\n            const starting = this.#startSending(job);',
    },
  ],
}
