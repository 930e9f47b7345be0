import { LLMock } from '@copilotkit/aimock'
import type { AnyPlugin } from '@mynah/kernel'
import { ChatHost } from '@mynah/plugin-agent/testing'
import ai from '@mynah/plugin-ai'
import chat from '@mynah/plugin-chat'
import { Chat } from '@mynah/plugin-chat/api'
import database from '@mynah/plugin-database'
import inbox from '@mynah/plugin-inbox'
import speech from '../index.js'

export interface Options {
  readonly speech?: Record<string, unknown> | false
  readonly config?: Record<string, unknown>
  readonly database?: boolean
  readonly sdk?: 'openai' | 'openai-compatible'
  /** Further keys of `ai`. */
  readonly ai?: Record<string, unknown>
  /** Further providers next to `it`. */
  readonly providers?: Record<string, unknown>
  readonly plugins?: readonly AnyPlugin[]
}

/** Returns a PCM recording of silence. */
export function wav(seconds: number, rate = 8_000): Buffer {
  const data = Buffer.alloc(seconds * rate)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

/** A segment of sound that brings its bytes. */
export const sound = (bytes: Buffer = wav(1), more: Record<string, unknown> = {}) => ({
  type: 'voice',
  data: { base64: bytes.toString('base64'), format: 'wav', ...more },
})

/** Hosts of one test and their server, stopped after it. */
export function eachTest() {
  let mock: LLMock
  let origin: string
  const running: ChatHost[] = []
  beforeEach(async () => {
    mock = new LLMock({ port: 0, host: '127.0.0.1' } as never)
    origin = await mock.start()
  })
  afterEach(async () => {
    for (const host of running.splice(0)) await host.stop()
    await mock.stop()
  })
  const plain = (plugin: unknown): AnyPlugin => plugin as AnyPlugin
  return {
    get mock(): LLMock {
      return mock
    },
    /** Requests of a kind, by the end of their path. */
    asked: (path: string) => mock.getRequests().filter((entry) => entry.path.endsWith(path)),
    async start(options: Options = {}): Promise<ChatHost> {
      const provider = { sdk: options.sdk ?? 'openai', apiKey: 'k', baseUrl: `${origin}/v1`, models: ['gpt-5'] }
      const host = await ChatHost.start({
        chat: plain(chat),
        config: options.config ?? {},
        plugins: [
          ...(options.database ? [plain(database), plain(inbox)] : []),
          { plugin: plain(ai), config: { providers: { it: provider, ...options.providers }, ...options.ai } },
          ...(options.speech === false
            ? []
            : [{ plugin: plain(speech), config: { 'ai.speech': options.speech ?? {} } }]),
          ...(options.plugins ?? []),
        ],
      })
      running.push(host)
      return host
    },
  }
}

/** Returns the notes of a stage in the trace of the last message. */
export const told = (host: ChatHost, stage: string): string[] =>
  (host.host.get(Chat)?.traces({ limit: 1 })[0]?.steps ?? [])
    .filter((step) => step.stage === stage)
    .map(({ name, outcome, reason }) => [name, outcome, reason].filter(Boolean).join(' '))
