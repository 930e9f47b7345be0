import { expect } from 'chai'
import { urlMistakes } from './url-mistakes.js'

const mistake = (url: string): string => urlMistakes({ url })[0]?.message ?? ''

describe('urlMistakes', () => {
  for (const [url, words] of [
    ['postgres://mynah:50%off@db/mynah', 'has a % that stands for no character'],
    ['postgres://mynah:a%@db/mynah', 'has a % that stands for no character'],
    ['postgres://mynah:a#b@db/mynah', 'may not have a #'],
    ['postgres://mynah:12#b@db/mynah', 'may not have a #'],
    ['postgres://mynah:a/b@db/mynah', 'is no address such as'],
    ['postgres://mynah:12?b@db/mynah', 'has a ? before its host'],
    ['db.example.org', 'is no address such as'],
    ['mysql://db/mynah', 'is no address such as'],
  ] as const)
    it(`names the mistake in ${url}, and how to write it`, () => {
      expect(mistake(url)).to.include(words)
      if (url.includes('@')) expect(mistake(url)).to.include('write % as %25')
      expect(mistake(url)).to.not.include('db')
    })

  for (const url of [
    'postgres://mynah:secret@localhost/mynah',
    'postgresql://mynah:50%25off%23%40@db:5433/mynah?sslmode=require',
    'postgres://mynah:a@b@db/mynah',
    'postgres://[::1]:5432/mynah',
    'postgres:///mynah?host=/run/postgresql',
    'postgres://mynah@/mynah?host=/run/postgresql',
    'socket:/run/postgresql?db=mynah',
  ])
    it(`takes ${url}`, () => expect(mistake(url)).to.equal(''))
})
