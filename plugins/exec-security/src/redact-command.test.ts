import { expect } from 'chai'
import { redactCommand } from './redact-command.js'

const SECRET = 's3cr3t-v4lue-0123456789'

describe('redactCommand', () => {
  for (const command of [
    `curl -H "Authorization: Bearer ${SECRET}" https://a.b`,
    `curl -H 'X-Api-Key: ${SECRET}' https://a.b`,
    `curl -u ann:${SECRET} https://a.b`,
    `curl --user "ann:${SECRET}" https://a.b`,
    `git clone https://ann:${SECRET}@a.b/c.git`,
    `API_KEY=${SECRET} make`,
    `export GITHUB_TOKEN="${SECRET}"`,
    `mysql --password=${SECRET} -e 'select 1'`,
    `docker login --password ${SECRET} a.b`,
    `echo '{"client_secret": "${SECRET}"}'`,
    `npm config set //a.b/:_authToken=${SECRET}`,
    `curl --cookie x -H "Cookie: sid=${SECRET}" https://a.b`,
    `gh auth login --with-token <<< ghp_${SECRET}`,
    `node -e 'f("sk-${SECRET}")'`,
  ])
    it(`hides the secret of ${JSON.stringify(command.replaceAll(SECRET, '…'))}`, () => {
      expect(redactCommand(command)).to.contain('‹hidden›').and.not.contain(SECRET)
    })

  it('leaves other commands alone', () => {
    for (const command of ['ls -la', 'git commit -m "Explain tokens"', 'grep -rn password src', 'cat docs/secrets.md'])
      expect(redactCommand(command)).to.equal(command)
  })
})
