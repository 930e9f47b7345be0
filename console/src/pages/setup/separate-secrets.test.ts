import { expect } from 'chai'
import { separateSecrets } from './separate-secrets.js'

describe('separateSecrets', () => {
  it('replaces secrets at any depth by variables, and returns their lines', () => {
    const account = { nick: 'plum', password: 'k 1', sasl: { account: 'plum', password: 'k-2' } }
    expect(separateSecrets(account, [['password'], ['sasl', 'password']], 'my-irc', {})).to.deep.equal({
      value: {
        nick: 'plum',
        password: '${MY_IRC_PASSWORD}',
        sasl: { account: 'plum', password: '${MY_IRC_SASL_PASSWORD}' },
      },
      lines: 'MY_IRC_PASSWORD="k 1"\nMY_IRC_SASL_PASSWORD=k-2\n',
      added: ['MY_IRC_PASSWORD', 'MY_IRC_SASL_PASSWORD'],
    })
  })

  it('keeps references, empty texts and what is no text or missing', () => {
    const value = { a: '${MINE}', b: '', c: 1, d: null }
    const paths = [['a'], ['b'], ['c'], ['d', 'e'], ['f']]
    expect(separateSecrets(value, paths, 'x', {})).to.deep.equal({ value, lines: '', added: [] })
  })

  it('uses a variable with the same value again, and takes another name where the value is another one', () => {
    const known = { X_KEY: 'old', X_KEY_2: 'older' }
    expect(separateSecrets({ key: 'older' }, [['key']], 'x', known)).to.include({ lines: '' })
    expect(separateSecrets({ key: 'new' }, [['key']], 'x', known).value).to.deep.equal({ key: '${X_KEY_3}' })
    const both = separateSecrets({ aB: '1', a_b: '2' }, [['aB'], ['a_b']], 'x', {})
    expect(both.value).to.deep.equal({ aB: '${X_A_B}', a_b: '${X_A_B_2}' })
  })

  it('names variables as the environment allows', () => {
    expect(separateSecrets({ key: 'k' }, [['key']], '1st bot', {}).added).to.deep.equal(['_1ST_BOT_KEY'])
  })
})
