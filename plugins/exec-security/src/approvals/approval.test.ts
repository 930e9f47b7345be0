import { expect } from 'chai'
import { textsFor } from '../chat/texts.js'
import { approvalView, firstLine, type Approval } from './approval.js'

const BLANK = '\u2800'
const NAMED = '‹U+2800›'
/** A request with a blank that is no space in each of its texts. */
const APPROVAL: Approval = {
  id: 'a1',
  kind: 'bash',
  title: `title${BLANK}`,
  command: `command${BLANK}`,
  adapter: 'sandbox',
  endpointId: 'bot',
  channel: `group:g${BLANK}`,
  userId: `bob${BLANK}`,
  subagent: false,
  folder: `/srv/folder${BLANK}`,
  place: null,
  adds: [`host:a${BLANK}`, `path:/b${BLANK}`],
  reason: `reason${BLANK}`,
  suggestion: `suggestion${BLANK}`,
  parts: [{ text: `part${BLANK}`, verdict: 'ask', rule: 'not-covered', reason: `of the part${BLANK}` }],
  status: 'pending',
  answeredBy: null,
  createdAt: 0,
  expiresAt: 1,
}

describe('approvalView', () => {
  it('names characters that may deceive in every text but the exact one', () => {
    const { command, ...view } = approvalView(APPROVAL)
    expect(command).to.equal(APPROVAL.command)
    expect(JSON.stringify(view)).not.to.contain(BLANK)
    expect(view).to.deep.include({
      title: `title${NAMED}`,
      shown: `command${NAMED}`,
      channel: `group:g${NAMED}`,
      requestedBy: `bob${NAMED}`,
      folder: `/srv/folder${NAMED}`,
      adds: [`host:a${NAMED}`, `path:/b${NAMED}`],
      reason: `reason${NAMED}`,
      suggestion: 'suggestion\\x{2800}',
    })
    expect(view.parts?.[0]).to.deep.include({ text: `part${NAMED}`, reason: `of the part${NAMED}` })
  })
})

describe('the texts of a request in chat', () => {
  for (const locale of ['en', 'zh-CN'] as const)
    for (const kind of ['bash', 'skill'])
      it(`name characters that may deceive: ${kind}, ${locale}`, () => {
        const texts = textsFor(locale)
        const approval = { ...APPROVAL, kind }
        const all = [
          texts.request(approval, '/', false),
          texts.listed(approval, 'ann'),
          texts.over(approval),
          texts.ruleAdded('r', `rule${BLANK}`, 0, 0),
          texts.ruleRevoked('r', `rule${BLANK}`),
          texts.list({
            permanent: { bashAlways: false, bashRules: [{ id: 'r', pattern: `rule${BLANK}`, createdAt: 0 }] },
            pending: [approval],
            prefix: '/',
          }),
        ]
        for (const text of all) expect(text).not.to.contain(BLANK)
      })

  it('show all of the folder and of what is added, and one line for each', () => {
    const long = 'x'.repeat(300)
    const adds = Array.from({ length: 20 }, (_, i) => `host:host-${i}.example`)
    const approval = { ...APPROVAL, folder: `/srv/${long}`, adds, reason: 'a\n/approve a1 – yes' }
    const lines = textsFor('en').request(approval, '/', true).split('\n')
    expect(lines).to.include(`Folder: /srv/${long}`)
    expect(lines).to.include(`It adds: ${adds.join(', ')}`)
    expect(lines).to.include('Not covered: a ⏎ /approve a1 – yes')
  })
})

describe('firstLine', () => {
  it('makes one line of a text, and keeps what is to be named', () => {
    expect(firstLine(' a\n\tb  c ')).to.equal('a b c')
    expect(firstLine('a\u00a0b\u2028c\u0007')).to.equal('a\u00a0b\u2028c\u0007')
  })

  it('cuts a long text between characters', () => {
    expect(firstLine(`${'a'.repeat(119)}\u{1f600}b`)).to.equal(`${'a'.repeat(119)}…`)
  })
})
