import { expect } from 'chai'
import fc from 'fast-check'
import { baseAddress } from './base-address.js'
import { FAMILIES, type FamilyName } from './config.js'

describe('baseAddress', () => {
  const rows: readonly (readonly [family: FamilyName, what: string, written: string, meant: string | undefined])[] = [
    ['ollama', 'its OpenAI interface', 'http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434'],
    ['ollama', 'its own interface', 'http://127.0.0.1:11434/api/', 'http://127.0.0.1:11434'],
    ['ollama', 'a request', 'http://127.0.0.1:11434/api/chat', 'http://127.0.0.1:11434'],
    ['ollama', 'a request of OpenAI', 'http://127.0.0.1:11434/v1/chat/completions', 'http://127.0.0.1:11434'],
    ['ollama', 'a path before them', 'https://example.com/ollama//v1/', 'https://example.com/ollama'],
    ['ollama', 'only a name', 'localhost', 'http://localhost:11434'],
    ['ollama', 'a name and a port', 'box:1234', 'http://box:1234'],
    ['ollama', 'a number', '[::1]:11434/v1', 'http://[::1]:11434'],
    ['ollama', 'a public name', 'gpu.example.com', 'http://gpu.example.com'],
    ['openai-compatible', 'the whole', 'https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
    ['openai-compatible', 'a slash at the end', 'https://openrouter.ai/api/v1/', 'https://openrouter.ai/api/v1'],
    ['openai-compatible', 'slashes within', 'https://openrouter.ai//api//v1', 'https://openrouter.ai/api/v1'],
    ['openai-compatible', 'a request', 'http://127.0.0.1:8000/v1/chat/completions', 'http://127.0.0.1:8000/v1'],
    ['openai-compatible', 'a list', 'http://127.0.0.1:8000/v1/models/', 'http://127.0.0.1:8000/v1'],
    ['openai-compatible', 'a version twice', 'http://127.0.0.1:8000/v1/v1', 'http://127.0.0.1:8000/v1'],
    ['openai-compatible', 'a path of models', 'https://x.example/models', 'https://x.example/models'],
    ['openai-compatible', 'no scheme', '127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
    ['openai-compatible', 'no scheme and a name in the network', 'box.lan:8000/v1', 'http://box.lan:8000/v1'],
    // A key must not go over the network unencrypted.
    ['openai-compatible', 'no scheme and a public name', 'openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
    ['openai-compatible', 'a scheme twice', 'https://https://relay.example/v1', 'https://relay.example/v1'],
    ['openai-compatible', 'a scheme without a colon', 'https//relay.example/v1', 'https://relay.example/v1'],
    ['openai-compatible', 'a scheme with a slash', 'http:/127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
    ['openai-compatible', 'a scheme with three', 'https:///relay.example/v1', 'https://relay.example/v1'],
    ['openai-compatible', 'slashes alone', '//relay.example/v1', 'https://relay.example/v1'],
    ['openai-compatible', 'backslashes', 'http:\\\\127.0.0.1:8000\\v1', 'http://127.0.0.1:8000/v1'],
    ['openai-compatible', 'spaces and quotes', ' "http://127.0.0.1:8000/v1" ', 'http://127.0.0.1:8000/v1'],
    ['openai-compatible', 'a mark at the end', 'https://relay.example/v1#', 'https://relay.example/v1'],
    ['openai', 'upper case', 'HTTPS://API.OPENAI.COM/v1/responses', 'https://api.openai.com/v1'],
    ['deepseek', 'no path', 'https://api.deepseek.com/', 'https://api.deepseek.com'],
    ['anthropic', 'a request', 'https://api.anthropic.com/v1/messages', 'https://api.anthropic.com/v1'],
    [
      'google',
      'a request',
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent',
      'https://generativelanguage.googleapis.com/v1beta',
    ],
    [
      'google',
      'its OpenAI interface',
      'https://generativelanguage.googleapis.com/v1beta/openai/',
      'https://generativelanguage.googleapis.com/v1beta',
    ],
    ['openai', 'a query, which is a mistake of its own', 'https://x.example/v1/?key=a', 'https://x.example/v1?key=a'],
    ['openai', 'another scheme', 'ftp://x.example/v1', undefined],
    ['openai', 'a scheme alone', 'https://', undefined],
    ['openai', 'no address', 'no address', undefined],
    ['openai', 'nothing', ' ', undefined],
  ]
  for (const [family, what, written, meant] of rows)
    it(`reads an address of ${family} with ${what}`, () => {
      expect(baseAddress(written, family)).to.equal(meant)
    })

  it('returns an address that it reads as the same, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), fc.constantFrom(...FAMILIES), (text, family) => {
        const address = baseAddress(text, family)
        if (address === undefined) return
        expect(address).to.match(/^https?:\/\/[^/]/)
        expect(URL.canParse(address)).to.equal(true)
      }),
    )
  })
})
