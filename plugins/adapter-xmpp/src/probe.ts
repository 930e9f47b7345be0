import { randomBytes } from 'node:crypto'
import { systemClock } from '@mynah/kernel'
import type { AccountProbe, ProbeResult } from '@mynah/plugin-chat/api'
import { xml } from '@xmpp/client'
import type { XmppConfig } from './config.js'
import { conditionOf } from './stanzas.js'
import { XmppStream } from './stream.js'

const DISCO = 'http://jabber.org/protocol/disco#info'

/** Logs in as a session of its own, which gets no messages, and leaves again. Joins no room. */
export async function probe({ config, log, signal }: AccountProbe<XmppConfig>): Promise<ProbeResult> {
  const resource = `test-${randomBytes(4).toString('hex')}`
  const stream = new XmppStream({ config, resource, clock: systemClock, log, stanza: () => {}, lost: () => {} })
  try {
    await stream.open(signal)
    const featuresOf = async (to: string): Promise<(string | undefined)[]> => {
      const iq = xml('iq', { type: 'get', to }, xml('query', { xmlns: DISCO }))
      const items = (await stream.ask(iq)).getChild('query')?.getChildren('feature') ?? []
      return items.map(({ attrs }) => attrs.var)
    }
    const missing: string[] = []
    if (!(await featuresOf(config.jid)).includes('urn:xmpp:mam:2'))
      missing.push('The server keeps no archive (urn:xmpp:mam:2): what is said while the bot is offline is lost')
    for (const room of config.rooms ?? []) {
      try {
        if ((await featuresOf(room)).includes('muc_passwordprotected'))
          missing.push(`The room ${room} asks for a password (muc_passwordprotected), which this adapter does not have`)
      } catch (error) {
        const condition = conditionOf(error)
        if (condition === undefined) throw error
        // A room that does not exist is created when the bot joins it.
        if (condition !== 'item-not-found') missing.push(`The room ${room} cannot be reached (${condition})`)
      }
    }
    return { id: config.jid, ...(missing.length ? { missing } : {}) }
  } finally {
    await stream.close()
  }
}
