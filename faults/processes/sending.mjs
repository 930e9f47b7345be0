// A host with chat over the durable store that kills itself at one step of sending an answer.
//
// Options: `folder`; `step`; `id` of a message to receive. Says `sent <text>` for each sent text, and its rows.
import { middlewares } from '@mynah/plugin-chat/api'
import { DatabaseMessageStore } from '../../plugins/inbox/dist/store.js'
import { hasOpenRows, options, Platform, sayRows, startChat, Steps, whileBusy } from '../lib/host.mjs'
import { say } from '../lib/say.mjs'

const { folder, step, id } = options
const steps = new Steps(step)
steps.around(DatabaseMessageStore.prototype, 'addIntent', 'the intent')
steps.around(DatabaseMessageStore.prototype, 'startSending', 'it is marked')
steps.around(DatabaseMessageStore.prototype, 'finishSending', 'the receipt')

const platform = new Platform(
  {
    async send(_target, { text }) {
      steps.at('before the platform has it')
      say(`sent ${text}`)
      steps.at('after the platform has it')
      return { messageId: `out-${text}` }
    },
  },
  (ctx) => ctx.contribute(middlewares, { name: 'reply', handle: (message) => message.$reply(message.id) }),
)
const host = await startChat({ folder, platform })
if (id !== undefined) await platform.hear(id, 'ann', id)
await whileBusy(() => hasOpenRows(host))
await sayRows(host)
await host.stop()
