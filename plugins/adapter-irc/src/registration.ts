import type { Client, IrcMessage } from 'irc-framework'
import { messageOf } from '@mynah/kernel'
import type { IrcConfig } from './config.js'
import { substitute } from './nick-keeper.js'

const NICK_TAKEN = new Set(['433', '436', '437'])
const NICK_REFUSED = '432'
const DENIED: Readonly<Record<string, string>> = {
  464: 'The server does not accept the password',
  465: 'The bot is banned from the server',
}

const SASL: Readonly<Record<string, string>> = {
  fail: 'The services do not accept account and password of `sasl`',
  capability_missing: 'The server offers no login with an account: remove `sasl`, or it has no services now',
  unsupported_mechanism: 'The server does not offer SASL PLAIN',
}

/** Resolves with the name that the server gave to the bot, once it may speak. */
export function register(client: Client, config: IrcConfig, closed: Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    let done = false
    let attempt = 0
    let loggedIn = false
    let said: string | undefined
    const fail = (reason: string): void => {
      if (done) return
      done = true
      reject(new Error(reason))
    }
    client.on('loggedin', () => {
      loggedIn = true
    })
    client.on('sasl failed', ({ reason }) => fail(SASL[reason ?? ''] ?? `Login with an account failed: ${reason}`))
    client.on('irc error', ({ reason }) => {
      said = reason
    })
    client.on('ping timeout', () => fail('The server does not answer'))
    client.connection.on('message', ({ command, params }: IrcMessage) => {
      if (done) return
      if (DENIED[command]) fail(`${DENIED[command]}: ${params.at(-1)}`)
      const taken = NICK_TAKEN.has(command) || (command === NICK_REFUSED && attempt > 0)
      if (command === NICK_REFUSED && !taken)
        fail(`The server does not accept the nick "${config.nick}": ${params.at(-1)}`)
      if (!taken) return
      const next = substitute(config.nick, ++attempt)
      if (next === undefined) return fail(`The nick "${config.nick}" and all that are like it are taken`)
      client.user.nick = next
      client.connection.write(`NICK ${next}`)
    })
    client.on('registered', ({ nick }) => {
      if (config.sasl && !loggedIn) return fail(SASL.capability_missing as string)
      if (done) return
      done = true
      resolve(nick)
    })
    void closed.then((error) => fail(error ? messageOf(error) : (said ?? 'The server closed the connection')))
  })
}
