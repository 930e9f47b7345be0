import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { FAMILIES, type FamilyName, type ProviderConfig } from '../config.js'
import { flood, partsOf, playOnce, serviceOf, textIn, useTwoServers } from '../test/support.js'

/** How each family begins to say "grü", and the type of its stream. */
const BEGINNINGS: Readonly<Record<FamilyName | 'native', { readonly type: string; readonly said: string }>> = {
  openai: {
    type: 'text/event-stream',
    said: 'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"grü"},"finish_reason":null}]}\n\n',
  },
  deepseek: {
    type: 'text/event-stream',
    said: 'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"grü"},"finish_reason":null}]}\n\n',
  },
  'openai-compatible': {
    type: 'text/event-stream',
    said: 'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"grü"},"finish_reason":null}]}\n\n',
  },
  ollama: {
    type: 'text/event-stream',
    said: 'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"grü"},"finish_reason":null}]}\n\n',
  },
  native: {
    type: 'application/x-ndjson',
    said: '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"grü"},"done":false}\n',
  },
  anthropic: {
    type: 'text/event-stream',
    said: 'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"grü"}}\n\n',
  },
  google: {
    type: 'text/event-stream',
    said: 'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"grü"}]},"index":0}]}\n\n',
  },
}

const answer = (status: number, headers: Record<string, string>, body: string) => (response: ServerResponse) =>
  void response.writeHead(status, headers).end(body)
const error = (code: string) =>
  JSON.stringify({ type: 'error', error: { type: code, code, message: 'no', status: code.toUpperCase() } })

describe('misbehaving provider of any family', () => {
  const servers = useTwoServers()

  for (const family of [...FAMILIES, 'native'] as const) {
    const { type, said } = BEGINNINGS[family]
    const start = () => {
      const ollama = { sdk: 'ollama', host: servers.first.origin } as const
      const isOllama = family === 'native' || family === 'ollama'
      const own: ProviderConfig = isOllama
        ? { ...ollama, ...(family === 'native' ? { num_ctx: 4_096 } : {}) }
        : { sdk: family, apiKey: 'k', baseUrl: servers.first.url }
      return serviceOf({
        a: { ...own, models: ['one'] },
        b: { sdk: 'openai-compatible', baseUrl: servers.second.url, models: ['two'] },
      })
    }
    const candidates = [
      { provider: 'a', model: 'one' },
      { provider: 'b', model: 'two' },
    ]

    describe(family, () => {
      for (const [what, play, classes] of [
        ['a web page', answer(200, { 'content-type': 'text/html' }, '<!doctype html><p>Hello'), ['server']],
        ['an empty body', answer(200, { 'content-type': type }, ''), ['server']],
        ['an empty body of JSON', answer(200, { 'content-type': 'application/json' }, ''), ['server']],
        [
          'half a character',
          (response: ServerResponse) =>
            void response
              .writeHead(200, { 'content-type': type })
              .end(Buffer.from('data: {"x":"\u6f22').subarray(0, -1)),
          ['server', 'network'],
        ],
        [
          'a success that is an error',
          answer(200, { 'content-type': 'application/json' }, error('overloaded_error')),
          ['overloaded'],
        ],
        ['what is no JSON', answer(200, { 'content-type': type }, 'data: {nonsense\n\n'), ['server', 'network']],
        [
          'a body that never ends and says nothing',
          (response: ServerResponse) => {
            response.writeHead(200, { 'content-type': type })
            flood(response, ' '.repeat(1_000_000))
          },
          ['server', 'network'],
        ],
        [
          'a failure whose body never ends',
          (response: ServerResponse) => {
            response.writeHead(503, { 'content-type': 'application/json' })
            flood(response, 'x'.repeat(65_536))
          },
          ['overloaded'],
        ],
        ['an end before anything', (response: ServerResponse) => void response.destroy(), ['network']],
        ['a 429 without a word', answer(429, {}, ''), ['rate-limit']],
        ['a 529', answer(529, { 'retry-after': '5' }, error('overloaded_error')), ['overloaded']],
        ['a 402', answer(402, {}, '{}'), ['billing']],
        ['a 403', answer(403, { 'content-type': 'text/html' }, '<html>'), ['auth']],
        ['a 404', answer(404, {}, ''), ['not-found']],
        ['a 504', answer(504, {}, ''), ['timeout']],
      ] as const) {
        it(`sends ${what}, and the next model is asked at once, with one line of the log`, async () => {
          servers.first.play(play)
          const { models, log, changes } = start()
          const parts = await partsOf(models, 'hi', { candidates })
          expect(textIn(parts)).to.equal('from the second')
          const lines = log.lines.filter(({ level }) => level === 'warn')
          expect(lines, JSON.stringify(lines)).to.have.length(1)
          expect(lines[0]?.message)
            .to.match(/^a:one /)
            .and.to.contain('asking b:two')
          const [fallback] = parts.flatMap((part) => (part.type === 'fallback' ? [part.error.class] : []))
          expect(classes).to.include(fallback)
          expect(changes.map(({ state }) => state)).to.deep.equal(
            ['network', 'timeout'].includes(fallback ?? '') ? [] : ['cooling'],
          )
        })
      }

      it('leaves nothing that fails later when its answer is abandoned', async () => {
        const unhandled: unknown[] = []
        const note = (reason: unknown): void => void unhandled.push(reason)
        const others = process.listeners('unhandledRejection')
        process.removeAllListeners('unhandledRejection').on('unhandledRejection', note)
        try {
          for (const beginning of ['', said, said.slice(0, -20)])
            for (const flooding of [false, true]) {
              servers.first.play((response) => {
                response.writeHead(200, { 'content-type': type })
                response.write(beginning)
                if (flooding) flood(response, ': '.repeat(10_000))
              })
              const abort = new AbortController()
              const answer = partsOf(start().models, 'hi', {
                candidates: candidates.slice(0, 1),
                signal: abort.signal,
              }).catch(() => undefined)
              await until(() => servers.first.asked.length > 0)
              for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
              abort.abort()
              await answer
              await until(() => servers.first.closed > 0)
              servers.first.closed = 0
              for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
            }
          expect(unhandled).to.deep.equal([])
        } finally {
          process.off('unhandledRejection', note)
          for (const listener of others) process.on('unhandledRejection', listener)
        }
      })

      it('keeps the text before a break within a character', async () => {
        servers.first.play(
          playOnce(
            (response) =>
              void response
                .writeHead(200, { 'content-type': type })
                .write(said, () =>
                  response.write(Buffer.from(said).subarray(0, Buffer.from(said).lastIndexOf(0xbc)), () =>
                    setImmediate(() => response.destroy()),
                  ),
                ),
          ),
        )
        const end = (await partsOf(start().models, 'hi', { candidates: candidates.slice(0, 1) })).at(-1)
        expect(end).to.deep.include({ type: 'finish', reason: 'interrupted' })
        expect(JSON.stringify(end)).to.contain('"grü"')
      })
    })
  }
})
