import { expect } from 'chai'
import { findSettings, settingsOf } from './settings.js'

const settings = settingsOf(
  [
    {
      key: 'http',
      plugin: 'http-core',
      schema: {
        type: 'object',
        properties: {
          port: { type: 'integer', description: 'Port to listen on', descriptions: { 'zh-CN': '监听的端口' } },
          tokens: {
            type: 'array',
            items: { type: 'object', properties: { scope: { type: 'string', description: 'Rights of the holder' } } },
          },
        },
      },
      folded: [{ key: 'http.note', plugin: 'x', path: [], schema: { type: 'string', description: 'About the port' } }],
    },
  ],
  'zh-CN',
)
const found = (words: string): string[] => findSettings(settings, words).map(({ setting }) => setting)

describe('the search over settings', () => {
  it('finds names and descriptions in both languages, names first', () => {
    expect(found('port')).to.deep.equal(['http.port', 'http.note'])
    expect(found('端口')).to.deep.equal(['http.port'])
    expect(found('RIGHTS of')).to.deep.equal(['http.tokens.scope'])
    expect(found('')).to.deep.equal([])
    expect(found('port nothing')).to.deep.equal([])
  })

  it('describes each in the language of the console, else in English', () => {
    expect(settings.find(({ setting }) => setting === 'http.port')?.description).to.equal('监听的端口')
    expect(settings.find(({ setting }) => setting === 'http.note')?.description).to.equal('About the port')
    expect(settings.find(({ setting }) => setting === 'http.note')?.section).to.equal('http')
  })
})
