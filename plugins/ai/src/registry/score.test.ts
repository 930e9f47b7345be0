import { expect } from 'chai'
import { byScore, sizeOf, tierScore } from './score.js'

/** Ids as providers list them. */
const FLAGSHIPS = [
  'gpt-5',
  'gpt-5.1',
  'gpt-5-pro',
  'o3',
  'claude-opus-4-1-20250805',
  'claude-opus-4-5',
  'claude-sonnet-4-5-20250929',
  'gemini-2.5-pro',
  'gemini-3-pro-preview',
  'grok-4',
  'deepseek-reasoner',
  'kimi-k2-0905-preview',
  'qwen3-max',
  'glm-4.6',
  'anthropic/claude-opus-4.5',
  'openai/gpt-5',
  'x-ai/grok-4',
]
const SMALL = [
  'llama3.2:1b',
  'llama3.2:3b',
  'qwen2.5:0.5b',
  'qwen2.5:7b',
  'qwen3:4b',
  'qwen3:1.7b',
  'gemma3:4b',
  'gemma3n:e4b',
  'phi3:3.8b',
  'mistral:7b',
  'deepseek-r1:1.5b',
  'deepseek-r1:7b',
  'smollm:135m',
  'tinyllama:1.1b',
  'Qwen/Qwen2.5-7B-Instruct',
  '@cf/meta/llama-2-7b-chat-int8',
]
const MIDDLE = ['llama-3.1-8b-instant', 'qwen3:8b', 'phi4:14b', 'gemma3:27b', 'qwen3:32b', 'mistral-small3.2:24b']
const LARGE = [
  'llama3.3:70b',
  'meta-llama/Llama-3.3-70B-Instruct',
  'qwen2.5:72b',
  'qwen3-235b-a22b',
  'llama3.1:405b',
  'deepseek-r1:671b',
  'gpt-oss:120b',
]
const NO_CHAT = [
  'text-embedding-3-small',
  'text-embedding-ada-002',
  'nomic-embed-text:latest',
  'mxbai-embed-large',
  'bge-m3',
  'whisper-1',
  'tts-1-hd',
  'dall-e-3',
  'gpt-image-1',
  'gpt-4o-realtime-preview',
  'gpt-4o-audio-preview',
  'gpt-4o-mini-transcribe',
  'gpt-4o-mini-tts',
  'omni-moderation-latest',
  'davinci-002',
  'babbage-002',
  'imagen-4.0-generate-001',
  'veo-3.0-generate-preview',
  'gemini-2.5-flash-image',
  'gemini-embedding-001',
  'sora-2',
  'llama-guard3:8b',
  'rerank-v3.5',
  'aqa',
]
const all = (ids: readonly string[]) => ids.map((id) => tierScore(id))

describe('score', () => {
  it('is one scale from 0 to 100', () => {
    for (const id of [
      ...FLAGSHIPS,
      ...SMALL,
      ...MIDDLE,
      ...LARGE,
      ...NO_CHAT,
      '',
      'x'.repeat(100_000),
      '漢字',
      'my-model',
    ])
      expect(tierScore(id), id.slice(0, 50)).to.be.within(0, 100).and.to.satisfy(Number.isInteger)
  })

  it('is 40 to 60 below eight billion parameters', () => {
    for (const id of SMALL) expect(tierScore(id), id).to.be.within(40, 60)
    expect(tierScore('custom', { parameterSize: '3.2B' })).to.be.within(40, 60)
    expect(tierScore('custom', { parameterSize: '135M' })).to.equal(40)
  })

  it('puts every hosted flagship above every open model of up to 405 billion', () => {
    const open = Math.max(
      ...all([...SMALL, ...MIDDLE, 'llama3.3:70b', 'qwen2.5:72b', 'qwen3-235b-a22b', 'llama3.1:405b']),
    )
    for (const id of FLAGSHIPS) expect(tierScore(id), id).to.be.greaterThan(open)
  })

  it('grows with the size', () => {
    expect(Math.max(...all(SMALL))).to.be.at.most(Math.min(...all(MIDDLE)))
    expect(Math.max(...all(MIDDLE))).to.be.lessThan(Math.min(...all(LARGE)))
    const sizes = ['x:8b', 'x:14b', 'x:32b', 'x:70b', 'x:235b', 'x:671b'].map((id) => tierScore(id))
    expect(sizes).to.deep.equal([...sizes].sort((a, b) => a - b))
    expect(new Set(sizes).size).to.equal(sizes.length)
  })

  it('grows with the version, within a family', () => {
    for (const [older, newer] of [
      ['claude-3-opus-20240229', 'claude-opus-4-1-20250805'],
      ['claude-opus-4-1', 'claude-opus-4-5'],
      ['claude-3-5-sonnet-20241022', 'claude-sonnet-4-5'],
      ['claude-3-haiku-20240307', 'claude-haiku-4-5'],
      ['gpt-3.5-turbo', 'gpt-4-turbo'],
      ['gpt-4', 'gpt-4o'],
      ['gpt-4o', 'gpt-5'],
      ['gpt-4o-mini', 'gpt-5-mini'],
      ['gemini-1.5-pro', 'gemini-2.5-pro'],
      ['gemini-2.5-pro', 'gemini-3-pro-preview'],
      ['gemini-1.5-flash', 'gemini-2.5-flash'],
      ['grok-2', 'grok-4'],
      ['qwen2.5:14b', 'qwen3:14b'],
      ['glm-4.5', 'glm-4.6'],
    ] as const)
      expect(tierScore(newer), `${newer} > ${older}`).to.be.greaterThan(tierScore(older))
  })

  it('goes down with the tier, within a generation', () => {
    for (const [larger, smaller] of [
      ['gpt-5', 'gpt-5-mini'],
      ['gpt-5-mini', 'gpt-5-nano'],
      ['gpt-4.1', 'gpt-4.1-mini'],
      ['claude-opus-4-5', 'claude-sonnet-4-5'],
      ['claude-sonnet-4-5', 'claude-haiku-4-5'],
      ['gemini-2.5-pro', 'gemini-2.5-flash'],
      ['gemini-2.5-flash', 'gemini-2.5-flash-lite'],
      ['o3', 'o3-mini'],
      ['mistral-large-2411', 'mistral-small-latest'],
      ['grok-3', 'grok-3-mini'],
    ] as const)
      expect(tierScore(larger), `${larger} > ${smaller}`).to.be.greaterThan(tierScore(smaller))
  })

  it('is 0 for models that do not chat', () => {
    for (const id of NO_CHAT) expect(tierScore(id), id).to.equal(0)
  })

  it('does not read dates and windows as versions or sizes', () => {
    expect(tierScore('gpt-4o-2024-08-06')).to.equal(tierScore('gpt-4o'))
    expect(tierScore('claude-3-5-sonnet-20241022')).to.equal(tierScore('claude-3-5-sonnet-latest'))
    expect(tierScore('moonshot-v1-128k')).to.equal(tierScore('moonshot-v1-8k'))
    expect(tierScore('qwen-turbo-1m'), 'the window of a model').to.equal(tierScore('qwen-turbo'))
    expect([
      sizeOf('qwen2.5-72b-instruct'),
      sizeOf('mixtral:8x7b'),
      sizeOf('smollm:135m'),
      sizeOf('gpt-4'),
      sizeOf('v1-128k'),
      sizeOf('kimi-k2-1t'),
    ]).to.deep.equal([72, 28, 0.135, undefined, undefined, 1000])
  })

  it('orders the best first, of equal ones the newer', () => {
    const ids = ['gpt-4o-2024-05-13', 'gpt-4o-2024-11-20', 'gpt-5', 'whisper-1']
    expect(
      ids
        .map((id) => ({ id, score: tierScore(id) }))
        .sort(byScore)
        .map(({ id }) => id),
    ).to.deep.equal(['gpt-5', 'gpt-4o-2024-11-20', 'gpt-4o-2024-05-13', 'whisper-1'])
  })
})
