// Tests the reference of the documentation site against the packages that it describes.
import { expect } from 'chai'
import { codes } from '@mynah/contract'
import { kernelErrors } from '@mynah/kernel'
import { publicExports, undocumentedExports } from './public-exports.mjs'
import { reference } from './reference.mjs'

describe('the reference', function () {
  this.timeout(120_000)
  let pages
  let openapi
  before(async () => {
    ;({ pages, openapi } = await reference())
  })

  it('has the commands, tools, methods, points and hooks of all plugins', () => {
    const has = (page, ...texts) => {
      for (const text of texts) expect(pages.get(`reference/${page}.md`), page).to.contain(text)
    }
    has('commands', '`/help', '`/approve', '| agent |')
    has('tools', '`bash`', '`remember`', '| toolbox |')
    has('rpc', '## config:get', '## exec:pending', '| field |')
    has('points', '`chat.commands`', '`exec.approval-kinds`')
    has('hooks', '`database.changed`', '`kernel.changed`')
    has('services', '`approvals`')
    has('approvals', '`bash`', '`skill`')
    has('middlewares', '| priority |')
    has('options', '`http.port`', '`nick`', '`cron.runTimeout`')
    has('params', '`param.rest()`', '`param.choice()`')
    has('rest', '`GET /pub/health`')
    expect(Object.keys(openapi.paths)).to.include('/pub/health')
  })

  it('explains every error code, with cause and remedy', () => {
    const text = pages.get('reference/troubleshooting.md')
    for (const code of [...Object.keys(kernelErrors), ...Object.keys(codes)])
      expect(text).to.match(new RegExp(`^## ${code} .*\\n\\nCause: \\S.*\\n\\nWhat to do: \\S`, 'm'))
  })

  it('has every public export, with its sentence', () => {
    for (const { name } of publicExports('mynah'))
      expect(pages.get('reference/api-mynah.md')).to.contain(`### ${name} `)
    expect(undocumentedExports()).to.deep.equal([])
  })
})
