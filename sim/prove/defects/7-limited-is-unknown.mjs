// A message that the platform refused for its rate stays `sending` while it waits, and waits for a minute at most.
export default {
  about: '7: a rate limit that is waited out is unknown after a stop',
  shows: /is unknown, and the platform had refused it|was tried again at/,
  patches: [
    {
      file: 'plugins/chat/dist/outbound/transmitter.js',
      from: '        if (stored)\n            await this.#context.states.requeue(record, until);\n        return undefined;',
      to: '        await endpoint.outbox.wait(Math.min(pause, 60_000));\n        job.wasLimited = true;\n        return undefined;',
    },
    {
      file: 'plugins/chat/dist/outbound/transmitter.js',
      from: 'if (stored && !(await this.#startSending(job)))',
      to: 'if (stored && !job.wasLimited && !(await this.#startSending(job)))',
    },
  ],
}
