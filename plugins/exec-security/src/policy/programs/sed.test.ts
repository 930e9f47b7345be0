import { expect } from 'chai'
import { sedScripts } from './sed.js'

describe('sedScripts', () => {
  for (const [script, ...scripts] of [
    ['1e id', 'id'],
    ['1eid', 'id'],
    ['$!{e id\n}', 'id'],
    ['/a/,+2 ! e id', 'id'],
    ['\\,x,eid', 'id'],
    ['0~2e id', 'id'],
    ['h;eid', 'id'],
    ['s/a/id/e', 'id'],
    ['s,a,id,ige;p', 'id'],
    ['s/[/]id/;s|x|id -u|2e', 'id -u'],
    ['s/a/true\\nid/e', 'true\nid'],
    ['s/a/true\\\nid/e', 'true\nid'],
    ['s/a/\\x69d/e', 'id'],
    ['s/a/\\o151\\d100/e', 'id'],
    ['s/a/\\LID/e', 'ID'],
    ['s/a/\\/bin\\/id/e', '\\/bin\\/id'],
    ['y/abc/def/;1e id', 'id'],
    ['a\\\ntext e\n1e id', 'id'],
    ['# e x\ne id', 'id'],
    [':a;N;$!ba;e id', 'id'],
    ['s/a/id/e;s/b/uname/e', 'id', 'uname'],
  ] as const)
    it(`finds what ${JSON.stringify(script)} runs`, () => expect(sedScripts(script)).to.deep.equal(scripts))

  for (const script of [
    's/e/e id/',
    's/a/id/w e',
    's/a/id/gw /tmp/e id',
    '1,5p',
    '/e id/d',
    'a\\\ne id',
    'i e id',
    'r e',
    'w e id',
    'y/e/i/',
    'b e',
    ':e\nN',
    's/a/b/\n# e id',
    's',
    '',
  ])
    it(`finds nothing that ${JSON.stringify(script)} runs`, () => expect(sedScripts(script)).to.deep.equal([]))

  it('reads a long script in a time that its length explains', () => {
    for (const script of ['/'.repeat(50_000), '\\/'.repeat(50_000), `s/${'\\a'.repeat(50_000)}`, '1,'.repeat(50_000)])
      expect(sedScripts(script)).to.deep.equal([])
  })
})
